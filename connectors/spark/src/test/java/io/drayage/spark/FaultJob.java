package io.drayage.spark;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * Rows that tasks make, of which one runs into a fault. Those of the first partition are so large
 * that it has sent a fragment before it is there.
 */
final class FaultJob {
  static final int PARTITIONS = 4;
  static final long ROWS = 60_000;

  /** So many rows of 8 KiB are more than a fragment. */
  private static final long LARGE_ROWS = 14_000;

  /** In the first partition, when a fragment was sent. */
  static final long FAULT_ROW = 14_500;

  private FaultJob() {}

  /** What happens at {@link #FAULT_ROW}. */
  enum Fault {
    NONE,
    /** The first attempt fails. */
    THROW,
    /** The first attempt tells that it is there, and waits until the test says go. */
    WAIT,
    /** All attempts do, so that they go on together. */
    ALL_WAIT
  }

  /** The rows, made by tasks that use a folder to tell how far they are. */
  static Dataset<Row> rows(SparkSession spark, Fault fault, String folder) {
    UDF1<Long, Long> step = id -> step(id, fault, folder);
    spark.udf().register("step", step, DataTypes.LongType);
    return spark
        .range(0, ROWS, 1, PARTITIONS)
        .selectExpr(
            "step(id) AS id",
            "id * 31 AS proof",
            "CASE WHEN id < " + LARGE_ROWS + " THEN repeat('x', 8192) END AS filler");
  }

  /**
   * The same behind a shuffle, whose outputs are lost with an executor when they are read: the
   * first task that has read some tells, and waits for its end.
   *
   * @param determinate whether a map task that is run again sends the same rows to the same task
   */
  static Dataset<Row> shuffled(SparkSession spark, String folder, boolean determinate) {
    UDF1<Long, Long> read = id -> read(id, folder);
    spark.udf().register("read", read, DataTypes.LongType);
    UDF0<Long> any = () -> ThreadLocalRandom.current().nextLong();
    spark.udf().register("anything", functions.udf(any, DataTypes.LongType).asNondeterministic());
    return rows(spark, Fault.NONE, folder)
        .withColumn("key", functions.expr(determinate ? "id" : "anything()"))
        .repartition(PARTITIONS, functions.col("key"))
        .selectExpr("read(id) AS id", "proof", "filler");
  }

  private static long read(long id, String folder) {
    if (TaskContext.get().stageAttemptNumber() == 0 && !Beacon.isLit(folder, "reduced")) {
      Beacon.light(folder, "reduced");
      Beacon.await("this process is killed", () -> false);
    }
    return id;
  }

  private static long step(long id, Fault fault, String folder) {
    if (id == 0 && fault == Fault.WAIT && !Beacon.isLit(folder, "begun-0")) {
      Beacon.light(folder, "begun-0");
    }
    if (id == ROWS - 1 && fault == Fault.WAIT && !Beacon.isLit(folder, "last")) {
      Beacon.light(folder, "last");
    }
    if (id == FAULT_ROW) {
      int attempt = TaskContext.get().attemptNumber();
      if (fault == Fault.THROW && attempt == 0) {
        throw new IllegalStateException("a task fails midway");
      } else if (fault == Fault.ALL_WAIT
          || (fault == Fault.WAIT && !Beacon.isLit(folder, "at-0"))) {
        Beacon.light(folder, "at-" + attempt);
        Beacon.await("the test says go", () -> Beacon.isLit(folder, "go"));
      }
    }
    return id;
  }

  /** Exactly these. */
  static List<List<Object>> expected() {
    return LongStream.range(0, ROWS).mapToObj(id -> List.<Object>of(id, id * 31)).toList();
  }

  /** What makes Spark start an attempt beside one that waits. */
  static Map<String, String> speculation() {
    return Map.of(
        "spark.speculation", "true",
        "spark.speculation.interval", "100ms",
        "spark.speculation.quantile", "0.5",
        "spark.speculation.multiplier", "1.01",
        "spark.speculation.minTaskRuntime", "100ms");
  }
}
