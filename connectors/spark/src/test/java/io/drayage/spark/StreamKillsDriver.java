package io.drayage.spark;

import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.types.DataTypes;

/** A driver in a process of its own, with executors, whose stream runs until it is told to stop. */
final class StreamKillsDriver {
  static final int EPOCH_ROWS = 1_000;

  private static final int PARTITIONS = 4;
  private static final int POLL_MS = 200;

  private StreamKillsDriver() {}

  /** ZooKeeper, store, and a folder with the beacon {@code stop} and the checkpoint. */
  public static void main(String... args) throws Exception {
    try (ClusterSpark cluster = ClusterSpark.ofChild(args[0], args[1])) {
      StreamingQuery query = start(cluster.session(), checkpoint(Path.of(args[2])));
      while (!Beacon.isLit(args[2], "stop") && !query.awaitTermination(POLL_MS)) {
        // Goes on.
      }
      query.stop();
    }
  }

  static Path checkpoint(Path folder) {
    return folder.resolve("checkpoint");
  }

  private static StreamingQuery start(SparkSession spark, Path checkpoint) throws Exception {
    UDF1<Long, Long> slowly = StreamKillsDriver::slowly;
    spark.udf().register("slowly", slowly, DataTypes.LongType);
    return spark
        .readStream()
        .format("rate-micro-batch")
        .option("rowsPerBatch", EPOCH_ROWS)
        .option("numPartitions", PARTITIONS)
        .load()
        .selectExpr("slowly(value) AS id", "value * 31 AS proof")
        .writeStream()
        .option("checkpointLocation", checkpoint.toString())
        .toTable("d.stream");
  }

  /** A kill shall hit a task in its middle as likely as at its end. */
  private static long slowly(long id) throws InterruptedException {
    if (id % 100 == 0) {
      Thread.sleep(ThreadLocalRandom.current().nextInt(100));
    }
    return id;
  }
}
