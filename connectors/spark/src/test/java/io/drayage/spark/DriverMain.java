package io.drayage.spark;

import org.apache.spark.sql.SparkSession;

/** A driver in a process of its own, which appends the rows of a {@link FaultJob}. */
final class DriverMain {
  private DriverMain() {}

  /** ZooKeeper, store, folder, fault and version. */
  public static void main(String... args) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("driver")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.catalog.d", DrayageCatalog.class.getName())
            .config("spark.sql.catalog.d.zookeeper", args[0])
            .config("spark.sql.catalog.d.store", args[1])
            .getOrCreate();
    FaultJob.rows(spark, FaultJob.Fault.valueOf(args[3]), args[2])
        .writeTo("d.faults")
        .option("txnAppId", "faults")
        .option("txnVersion", args[4])
        .append();
    spark.stop();
  }
}
