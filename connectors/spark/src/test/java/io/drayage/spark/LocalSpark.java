package io.drayage.spark;

import org.apache.spark.sql.SparkSession;

/** A session whose tasks run in this process: the same for all tests that follow each other. */
final class LocalSpark {
  private LocalSpark() {}

  static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "America/New_York")
        .getOrCreate();
  }
}
