package io.drayage.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ui.SQLAppStatusStore;
import org.apache.spark.sql.execution.ui.SQLExecutionUIData;

/** A session whose tasks run in this process, shared by consecutive tests. */
public final class LocalSpark {
  private LocalSpark() {}

  /** Returns the session. */
  public static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "America/New_York")
        .getOrCreate();
  }

  /**
   * Returns the values of a query in the UI, by the names of the metrics.
   *
   * @param before 0 for the last query; a staged table has 1, and its rows have 0
   */
  public static Map<String, String> metrics(int before) throws Exception {
    org.apache.spark.sql.classic.SparkSession session =
        (org.apache.spark.sql.classic.SparkSession) session();
    session.sparkContext().listenerBus().waitUntilEmpty();
    SQLAppStatusStore store = session.sharedState().statusStore();
    SQLExecutionUIData last =
        store.executionsList().apply(store.executionsList().size() - 1 - before);
    Map<Object, String> names = new HashMap<>();
    last.metrics().foreach(each -> names.put(each.accumulatorId(), each.name()));
    Map<String, String> values = new HashMap<>();
    store
        .executionMetrics(last.executionId())
        .foreach(each -> values.put(names.getOrDefault(each._1(), "other"), each._2()));
    return values;
  }
}
