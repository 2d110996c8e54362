package io.drayage.spark;

import io.drayage.frame.AppVersion;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.apache.spark.sql.DataFrameWriterV2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * A job of drivers that are killed, or an epoch of their stream. Its number determines its rows and
 * the way of writing.
 *
 * @param driver its number; {@link #OF_STREAM} for an epoch
 * @param version its number, from 1 on; for an epoch from 0 on
 */
record KilledJob(int driver, long version) {
  static final int OF_STREAM = -1;
  static final String STREAM = "stream";
  static final String SHARED = "shared";
  static final long EPOCH_ROWS = 1_000;
  private static final String APP = "driver-";
  private static final int PARTITIONS = 4;
  private static final long ROWS = 2_000;
  private static final long MOST_JOBS = 1_000_000;

  /** This job has a task of several fragments: rows of its first partition have 8 KiB each. */
  private static final long LARGE_VERSION = 3;

  private static final long LARGE_ROWS = 52_000;

  /** Returns the job of an entry of the log. */
  static KilledJob of(AppVersion app) {
    return new KilledJob(
        app.app().startsWith(APP) ? Integer.parseInt(app.app().substring(APP.length())) : OF_STREAM,
        app.version());
  }

  KilledJob next() {
    return new KilledJob(driver, version + 1);
  }

  /** Returns the table that only its driver writes. */
  static String own(int driver) {
    return "own" + driver;
  }

  boolean overwrites() {
    return driver != OF_STREAM && version % 7 == 0;
  }

  private boolean creates() {
    return version % 10 == 9 && !overwrites();
  }

  String table() {
    if (driver == OF_STREAM) {
      return STREAM;
    } else if (creates()) {
      return "made" + driver + "_" + version;
    }
    return overwrites() || version % 2 == 0 ? own(driver) : SHARED;
  }

  /** Writes its rows, slowly. A repetition has no effect. */
  void run(SparkSession spark) throws Exception {
    Dataset<Row> ids = spark.range(firstId(), firstId() + rows(), 1, PARTITIONS).toDF();
    DataFrameWriterV2<Row> write =
        rows(ids, version == LARGE_VERSION ? firstId() + LARGE_ROWS / PARTITIONS : 0)
            .writeTo("d." + table())
            .option("txnAppId", APP + driver)
            .option("txnVersion", Long.toString(version));
    if (creates()) {
      write.createOrReplace();
    } else if (overwrites()) {
      write.overwrite(functions.lit(true));
    } else {
      write.append();
    }
  }

  /** Returns the rows of all epochs. */
  static Dataset<Row> epochs(SparkSession spark) {
    return rows(
        spark
            .readStream()
            .format("rate-micro-batch")
            .option("rowsPerBatch", EPOCH_ROWS)
            .option("numPartitions", PARTITIONS)
            .load()
            .selectExpr("value AS id"),
        0);
  }

  private static Dataset<Row> rows(Dataset<Row> ids, long smallFrom) {
    UDF1<Long, Long> slowly = KilledJob::slowly;
    ids.sparkSession().udf().register("slowly", slowly, DataTypes.LongType);
    return ids.selectExpr(
        "slowly(id) AS id",
        "id * 31 AS proof",
        "IF(id < " + smallFrom + ", repeat('x', 8192), 'x') AS filler");
  }

  /** Slows a task down, so that a kill hits its middle as likely as its end. */
  private static long slowly(long id) throws InterruptedException {
    if (id % 250 == 0) {
      boolean isLarge = id / LARGE_ROWS % MOST_JOBS == LARGE_VERSION;
      Thread.sleep(ThreadLocalRandom.current().nextInt(isLarge ? 60 : 1_000));
    }
    return id;
  }

  private long rows() {
    return driver == OF_STREAM ? EPOCH_ROWS : version == LARGE_VERSION ? LARGE_ROWS : ROWS;
  }

  private long firstId() {
    return driver == OF_STREAM ? version * EPOCH_ROWS : (driver * MOST_JOBS + version) * LARGE_ROWS;
  }

  LongStream ids() {
    return LongStream.range(firstId(), firstId() + rows());
  }

  /** Returns the line that reports its end. */
  String done() {
    return "done-" + driver + "-" + version;
  }
}
