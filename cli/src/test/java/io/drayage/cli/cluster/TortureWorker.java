package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.coordination.Coordination;
import io.drayage.isolation.ListSession;
import io.drayage.isolation.TransactionHistory;
import io.drayage.isolation.TransactionOutcome;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.send.CargoSender;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a worker whose sessions commit random transactions, until there is a file
 * {@code stop} in its folder. Without ballast, the first session also coordinates transactions of
 * several parts. With a file {@code finish}, it prints the digest of the newest snapshot.
 * Arguments: ZooKeeper, store, folder, number of the first session, number of sessions, seed, bytes
 * of ballast in each transaction.
 */
final class TortureWorker {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private TortureWorker() {}

  public static void main(String[] args) throws Exception {
    NodeLog.setUp();
    Path folder = Path.of(args[2]);
    int number = Integer.parseInt(args[3]);
    try (Coordination coordination = ZooKeeperLogin.open(args[0], TortureCluster.SESSION_MS);
        ObjectStore objects = ObjectStores.open(args[1]);
        Worker worker =
            Worker.open(
                new WorkerOptions("worker-" + number).withPatience(PATIENCE),
                coordination,
                objects,
                address -> sender(address, number))) {
      int sessions = Integer.parseInt(args[4]);
      long seed = Long.parseLong(args[5]);
      int ballast = Integer.parseInt(args[6]);
      TransactionHistory history =
          new TransactionHistory(folder.resolve(format("history-%d.jsonl", number)));
      ListSession.Way alone = ListSession.alone(worker);
      ListSession.Way first =
          ballast > 0
              ? alone
              : new TortureTogether(
                  worker, coordination, address -> sender(address, number), folder, number, seed);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        ListSession session =
            new ListSession(worker, i == 0 ? first : alone, history, number + i, seed, ballast)
                .among(TortureCluster.WORKERS * sessions);
        threads.add(new Thread(() -> commitUntilStopped(session, folder)));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println("stopped");
      while (!Files.exists(folder.resolve("finish"))) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      long published = coordination.published().orElseThrow().timestamp();
      boolean loaded = worker.awaitSnapshot(published, PATIENCE);
      // Printed at once, because the test reads a part immediately.
      System.out.println(
          format(
              "digest %s of snapshot %d, %s",
              ListSession.digest(worker.snapshot()),
              published,
              loaded ? "loaded" : worker.failure()));
    }
    System.exit(0);
  }

  /** Commits; a failure ends the process. */
  private static void commitUntilStopped(ListSession session, Path folder) {
    try {
      while (!Files.exists(folder.resolve("stop"))) {
        if (session.next() == TransactionOutcome.FULL) {
          TimeUnit.MILLISECONDS.sleep(100);
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static CargoSender sender(InetSocketAddress address, int number) {
    return Systems.sender(
        Systems.notation().parse("netty:raw+none@1"),
        SystemOptions.DEFAULT,
        address,
        "worker-" + number,
        new DrayageMetrics());
  }
}
