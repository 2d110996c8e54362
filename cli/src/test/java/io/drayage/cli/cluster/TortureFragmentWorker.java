package io.drayage.cli.cluster;

import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.coordination.Coordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.worker.FragmentSender;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Main class of a worker that sends parts of others' transactions, until it is killed. Arguments:
 * ZooKeeper, folder of the tasks, number.
 */
final class TortureFragmentWorker {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private TortureFragmentWorker() {}

  public static void main(String[] args) throws Exception {
    NodeLog.setUp();
    TortureTasks tasks = new TortureTasks(Path.of(args[1]));
    int number = Integer.parseInt(args[2]);
    try (Coordination coordination = ZooKeeperLogin.open(args[0], TortureCluster.SESSION_MS)) {
      while (true) {
        boolean did =
            tasks.doNext(
                number,
                task -> {
                  try (FragmentSender sender =
                      new FragmentSender(
                          task.transaction(),
                          coordination,
                          address ->
                              Systems.sender(
                                  Systems.notation().parse("netty:raw+none@1"),
                                  SystemOptions.DEFAULT,
                                  address,
                                  "fragments-" + number,
                                  new DrayageMetrics()),
                          PATIENCE)) {
                    return sender.send(task.part());
                  }
                });
        if (!did) {
          TimeUnit.MILLISECONDS.sleep(5);
        }
      }
    }
  }
}
