package io.drayage.spark.database;

import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * A metric in Spark's UI, which Spark adds over tasks and the driver. Spark creates it by the name
 * of its class, without arguments.
 */
public abstract class SumMetric extends CustomSumMetric {
  private final String name;
  private final String description;

  protected SumMetric(String name, String description) {
    this.name = name;
    this.description = description;
  }

  /** The value of one task or of the driver, for the metric of a name. */
  public record Value(String name, long value) implements CustomTaskMetric {}

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  /** Returns a value of this metric. */
  public CustomTaskMetric of(long value) {
    return new Value(name, value);
  }
}
