package io.drayage.spark.read;

import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The metrics of a read in Spark's UI. */
final class ReadMetrics {
  private ReadMetrics() {}

  /** A metric that Spark adds over tasks and the driver, and creates by name. */
  abstract static class Sum extends CustomSumMetric {
    private final String name;
    private final String description;

    Sum(String name, String description) {
      this.name = name;
      this.description = description;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String description() {
      return description;
    }

    CustomTaskMetric of(long value) {
      return new Value(name, value);
    }
  }

  private record Value(String name, long value) implements CustomTaskMetric {}

  /** Bytes that were read from the store; a cached column needs none. */
  public static final class BytesRead extends Sum {
    public BytesRead() {
      super("drayageBytesRead", "Drayage: bytes read from the store");
    }
  }

  /** Pages of the table. */
  public static final class Pages extends Sum {
    public Pages() {
      super("drayagePages", "Drayage: pages of the table");
    }
  }

  /** Pages that cannot have a row for the query. */
  public static final class PagesSkipped extends Sum {
    public PagesSkipped() {
      super("drayagePagesSkipped", "Drayage: pages skipped");
    }
  }

  static CustomMetric[] supported() {
    return new CustomMetric[] {new BytesRead(), new Pages(), new PagesSkipped()};
  }
}
