package io.drayage.spark;

import io.drayage.frame.AppVersion;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.apache.spark.sql.DataFrameWriterV2;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * One job of drivers that are killed. Which rows it writes, and how, follows from its number.
 *
 * @param driver which of them
 * @param version its number, from 1 on
 */
record KillsJob(int driver, long version) {
  static final String SHARED = "shared";
  private static final int PARTITIONS = 4;
  private static final long ROWS = 2_000;
  private static final long MOST_JOBS = 1_000_000;

  /** This one has a task of more than a fragment: the rows of its first partition are of 8 KiB. */
  private static final long LARGE_VERSION = 3;

  private static final long LARGE_ROWS = 52_000;

  /** The job that an entry of the log is of. */
  static KillsJob of(AppVersion app) {
    return new KillsJob(Integer.parseInt(app.app().substring(1)), app.version());
  }

  private String app() {
    return "d" + driver;
  }

  /** Its driver's table alone. */
  static String own(int driver) {
    return "own" + driver;
  }

  boolean overwrites() {
    return version % 7 == 0;
  }

  private boolean creates() {
    return version % 10 == 9 && !overwrites();
  }

  String table() {
    if (creates()) {
      return "made" + driver + "_" + version;
    }
    return overwrites() || version % 2 == 0 ? own(driver) : SHARED;
  }

  /** Writes its rows, which take a while; again without effect. */
  void run(SparkSession spark) throws Exception {
    UDF1<Long, Long> slowly = KillsJob::slowly;
    spark.udf().register("slowly", slowly, DataTypes.LongType);
    long first = firstId();
    DataFrameWriterV2<Row> write =
        spark
            .range(first, first + rows(), 1, PARTITIONS)
            .selectExpr(
                "slowly(id) AS id",
                "id * 31 AS proof",
                "IF(" + large() + ", repeat('x', 8192), 'x') AS filler")
            .writeTo("d." + table())
            .option("txnAppId", app())
            .option("txnVersion", Long.toString(version));
    if (creates()) {
      write.createOrReplace();
    } else if (overwrites()) {
      write.overwrite(functions.lit(true));
    } else {
      write.append();
    }
  }

  /** A kill shall hit a task in its middle as likely as at its end. */
  private static long slowly(long id) throws InterruptedException {
    if (id % 250 == 0) {
      Thread.sleep(ThreadLocalRandom.current().nextInt(version(id) == LARGE_VERSION ? 60 : 1_000));
    }
    return id;
  }

  private static long version(long id) {
    return id / LARGE_ROWS % MOST_JOBS;
  }

  private String large() {
    return version == LARGE_VERSION ? "id < " + (firstId() + LARGE_ROWS / PARTITIONS) : "false";
  }

  private long rows() {
    return version == LARGE_VERSION ? LARGE_ROWS : ROWS;
  }

  private long firstId() {
    return (driver * MOST_JOBS + version) * LARGE_ROWS;
  }

  LongStream ids() {
    return LongStream.range(firstId(), firstId() + rows());
  }

  /** Tells that it has returned. */
  String done() {
    return "done-" + driver + "-" + version;
  }
}
