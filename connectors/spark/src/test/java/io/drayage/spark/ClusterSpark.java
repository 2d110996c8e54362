package io.drayage.spark;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * A session whose tasks run in two executor processes of one core each. A JVM can have only one
 * session: an existing one is stopped.
 */
final class ClusterSpark implements AutoCloseable {
  static final String TWO_EXECUTORS = "local-cluster[2,1,1024]";

  private final SparkSession session;

  /**
   * @param settings in addition to those for executors
   */
  ClusterSpark(Map<String, String> settings) {
    SparkSession.getActiveSession().foreach(ClusterSpark::stop);
    SparkSession.getDefaultSession().foreach(ClusterSpark::stop);
    SparkSession.Builder builder =
        SparkSession.builder()
            .master(TWO_EXECUTORS)
            .appName("tests")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.default.parallelism", "4")
            .config("spark.executor.memory", "768m")
            .config("spark.executor.extraClassPath", classPath())
            .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    settings.forEach(builder::config);
    this.session = builder.getOrCreate();
  }

  /**
   * Creates a session in a JVM that ends with its parent, with a database as {@code d}. If a master
   * has several hosts, Spark starts another attempt of a waiting task.
   */
  static ClusterSpark ofChild(String zookeeper, String store, String master) {
    CompletableFuture<Void> unused =
        ProcessHandle.current()
            .parent()
            .orElseThrow()
            .onExit()
            .thenRun(() -> Runtime.getRuntime().halt(1));
    return new ClusterSpark(
        Map.of(
            "spark.master", master,
            "spark.sql.catalog.d", DrayageCatalog.class.getName(),
            "spark.sql.catalog.d.zookeeper", zookeeper,
            "spark.sql.catalog.d.store", store,
            "spark.speculation", "true",
            "spark.speculation.interval", "100ms",
            "spark.speculation.quantile", "0.5",
            "spark.speculation.multiplier", "1.01",
            "spark.speculation.minTaskRuntime", "100ms"));
  }

  /** Executors have their own folders. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(each -> Path.of(each).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Object stop(SparkSession other) {
    other.stop();
    return other;
  }

  SparkSession session() {
    return session;
  }

  @Override
  public void close() {
    session.stop();
  }
}
