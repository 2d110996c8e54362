package io.drayage.spark.read;

import io.drayage.spark.database.SumMetric;
import org.apache.spark.sql.connector.metric.CustomMetric;

/** The metrics of a read in Spark's UI. */
final class ReadMetrics {
  private ReadMetrics() {}

  /** Bytes that were read from the store; a cached column needs none. */
  public static final class BytesRead extends SumMetric {
    public BytesRead() {
      super("drayageBytesRead", "Drayage: bytes read from the store");
    }
  }

  /** Pages of the table. */
  public static final class Pages extends SumMetric {
    public Pages() {
      super("drayagePages", "Drayage: pages of the table");
    }
  }

  /** Pages that cannot have a row for the query. */
  public static final class PagesSkipped extends SumMetric {
    public PagesSkipped() {
      super("drayagePagesSkipped", "Drayage: pages skipped");
    }
  }

  static CustomMetric[] supported() {
    return new CustomMetric[] {new BytesRead(), new Pages(), new PagesSkipped()};
  }
}
