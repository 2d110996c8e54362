package io.drayage.spark;

import java.util.Map;

/** A driver in a process of its own, with executors, which runs jobs until it is told to stop. */
final class KillsDriver {
  private KillsDriver() {}

  /** ZooKeeper, store, folder, the driver's number and that of its first job. */
  public static void main(String... args) throws Exception {
    var unused =
        ProcessHandle.current()
            .parent()
            .orElseThrow()
            .onExit()
            .thenRun(() -> Runtime.getRuntime().halt(1));
    Map<String, String> settings =
        Map.of(
            "spark.sql.catalog.d", DrayageCatalog.class.getName(),
            "spark.sql.catalog.d.zookeeper", args[0],
            "spark.sql.catalog.d.store", args[1]);
    try (ClusterSpark cluster = new ClusterSpark(settings)) {
      KillsJob job = new KillsJob(Integer.parseInt(args[3]), Long.parseLong(args[4]));
      while (!Beacon.isLit(args[2], "stop")) {
        job.run(cluster.session());
        Beacon.light(args[2], job.done());
        job = new KillsJob(job.driver(), job.version() + 1);
      }
    }
  }
}
