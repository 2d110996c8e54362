package io.drayage.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;

/** A driver in a process of its own, whose stream writes all {@link Numbers} that there are. */
final class StreamDriver {
  /** Where the first task that comes here tells, and waits until the test says go. */
  static final long WAIT_ROW = 15;

  private StreamDriver() {}

  /** ZooKeeper, store, a folder with beacons and the numbers, and the checkpoint. */
  public static void main(String... args) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("stream")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.catalog.d", DrayageCatalog.class.getName())
            .config("spark.sql.catalog.d.zookeeper", args[0])
            .config("spark.sql.catalog.d.store", args[1])
            .getOrCreate();
    String folder = args[2];
    UDF1<Long, Long> waits = id -> waits(id, folder);
    spark.udf().register("waits", waits, DataTypes.LongType);
    new Numbers(numbers(Path.of(folder)))
        .stream(spark)
            .selectExpr("waits(id) AS id")
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", args[3])
            .toTable("d.stream")
            .awaitTermination();
    spark.stop();
  }

  static Path numbers(Path folder) {
    return folder.resolve("numbers");
  }

  private static long waits(long id, String folder) {
    if (id == WAIT_ROW && !Beacon.isLit(folder, "at")) {
      Beacon.light(folder, "at");
      Beacon.await("the test says go", () -> Beacon.isLit(folder, "go"));
    }
    return id;
  }
}
