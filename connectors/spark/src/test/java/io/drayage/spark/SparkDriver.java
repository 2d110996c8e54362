package io.drayage.spark;

import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;

/**
 * A driver in a separate process, which writes until its work is done, or the beacon {@code stop}
 * is lit. Its tasks report their progress by {@link Beacon}s, and wait for the test.
 */
final class SparkDriver {
  static final String TABLE = "rows";

  /** Number of rows for each work, except for those with random numbers. */
  static final long ROWS = 60_000;

  static final int PARTITIONS = 4;

  /** Rows of a stream's epochs. {@link #FAULT_ROW} is in the second epoch, or in the first task. */
  static final int[] EPOCHS = {200, 20_000, 39_800};

  /** Number of rows of 8 KiB that exceeds a fragment. */
  private static final long LARGE_ROWS = 14_000;

  /** A fragment is sent before this row. Its task reports this, and waits for the test. */
  private static final long FAULT_ROW = 14_500;

  private static final int POLL_MS = 200;

  private SparkDriver() {}

  /** The work of the driver. */
  enum Work {
    /** Appends rows. */
    JOB,
    /** Appends rows, with a number of an application. */
    NUMBERED,
    /** Appends rows after a shuffle. A task that has read it reports this, and then waits. */
    SHUFFLED,
    /** Appends rows after a shuffle whose repeated map task sends other rows to a task. */
    INDETERMINATE,
    /** Writes all existing numbers, in {@link #EPOCHS}. */
    STREAM,
    /** Runs {@link KilledJob}s, from a given one on. */
    JOBS,
    /** Runs {@link KilledJob}s that are epochs of a stream. */
    ENDLESS_STREAM
  }

  static Path checkpoint(String folder) {
    return Path.of(folder, "checkpoint");
  }

  static Path numbers(String folder) {
    return Path.of(folder, "numbers");
  }

  /** Arguments: ZooKeeper, store, beacons, master, work; and the number of a driver and its job. */
  public static void main(String... args) throws Exception {
    String folder = args[2];
    try (ClusterSpark cluster = ClusterSpark.ofChild(args[0], args[1], args[3])) {
      SparkSession spark = cluster.session();
      tellReports(spark, folder);
      spark.udf().register("step", (UDF1<Long, Long>) id -> step(id, folder), DataTypes.LongType);
      switch (Work.valueOf(args[4])) {
        case JOB -> batch(spark).writeTo("d." + TABLE).append();
        case NUMBERED ->
            batch(spark)
                .writeTo("d." + TABLE)
                .option("txnAppId", "driver")
                .option("txnVersion", "1")
                .append();
        case SHUFFLED -> shuffled(spark, folder, "id").writeTo("d." + TABLE).append();
        case INDETERMINATE -> shuffled(spark, folder, "anything()").writeTo("d." + TABLE).append();
        case STREAM -> {
          Dataset<Row> numbers = new Numbers(numbers(folder)).stream(spark);
          start(rows(numbers).writeStream().trigger(Trigger.AvailableNow()), TABLE, folder)
              .awaitTermination();
        }
        case JOBS -> {
          KilledJob job = new KilledJob(Integer.parseInt(args[5]), Long.parseLong(args[6]));
          while (!Beacon.isLit(folder, "stop")) {
            job.run(spark);
            Beacon.light(folder, job.done());
            job = job.next();
          }
        }
        case ENDLESS_STREAM -> {
          DataStreamWriter<Row> epochs = KilledJob.epochs(spark).writeStream();
          StreamingQuery query = start(epochs, KilledJob.STREAM, folder);
          while (!Beacon.isLit(folder, "stop") && !query.awaitTermination(POLL_MS)) {
            // The wait goes on.
          }
          query.stop();
        }
      }
    }
  }

  private static StreamingQuery start(DataStreamWriter<Row> rows, String table, String folder)
      throws Exception {
    return rows.option("checkpointLocation", checkpoint(folder).toString()).toTable("d." + table);
  }

  private static Dataset<Row> batch(SparkSession spark) {
    return rows(spark.range(0, ROWS, 1, PARTITIONS).toDF());
  }

  private static Dataset<Row> rows(Dataset<Row> ids) {
    return ids.selectExpr(
        "step(id) AS id",
        "id * 31 AS proof",
        "IF(id < " + LARGE_ROWS + ", repeat('x', 8192), NULL) AS filler");
  }

  private static Dataset<Row> shuffled(SparkSession spark, String folder, String key) {
    spark.udf().register("read", (UDF1<Long, Long>) id -> read(id, folder), DataTypes.LongType);
    UDF0<Long> any = () -> ThreadLocalRandom.current().nextLong();
    spark.udf().register("anything", functions.udf(any, DataTypes.LongType).asNondeterministic());
    return batch(spark)
        .withColumn("key", functions.expr(key))
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

  private static long step(long id, String folder) {
    if (id == 0) {
      Beacon.light(folder, "begun");
    } else if (id == ROWS - 1) {
      Beacon.light(folder, "last");
    } else if (id == FAULT_ROW) {
      int attempt = TaskContext.get().attemptNumber();
      Beacon.light(folder, "at-" + attempt);
      Beacon.await("the test says go", () -> Beacon.isLit(folder, "go"));
      if (attempt == 0 && Beacon.isLit(folder, "throw")) {
        throw new IllegalStateException("a task fails midway");
      }
    }
    return id;
  }

  /** Reports the tasks of a write that have ended for the driver. */
  private static void tellReports(SparkSession spark, String folder) {
    AtomicInteger reported = new AtomicInteger();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.taskType().equals("ResultTask") && end.taskInfo().successful()) {
                  Beacon.light(folder, "reported-" + reported.incrementAndGet());
                }
              }
            });
  }
}
