package io.drayage.spark;

/** A driver in a process of its own, with executors, which runs jobs until it is told to stop. */
final class KillsDriver {
  private KillsDriver() {}

  /** ZooKeeper, store, folder, the driver's number and that of its first job. */
  public static void main(String... args) throws Exception {
    try (ClusterSpark cluster = ClusterSpark.ofChild(args[0], args[1])) {
      KillsJob job = new KillsJob(Integer.parseInt(args[3]), Long.parseLong(args[4]));
      while (!Beacon.isLit(args[2], "stop")) {
        job.run(cluster.session());
        Beacon.light(args[2], job.done());
        job = new KillsJob(job.driver(), job.version() + 1);
      }
    }
  }
}
