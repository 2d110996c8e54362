package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.database.LoadMode;
import io.drayage.isolation.FinalState;
import io.drayage.isolation.IsolationChecker;
import io.drayage.isolation.ListSession;
import io.drayage.isolation.TransactionHistory;
import io.drayage.isolation.TransactionOutcome;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.testing.Waiting;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random transactions that conflict, while primaries change and the store fails. */
class IsolationTest {
  private static final int WORKERS = 4;
  private static final int SESSIONS = 2 * WORKERS;

  private static final List<FaultyStore.Trouble> TROUBLES =
      List.of(
          FaultyStore.Trouble.BEGIN,
          FaultyStore.Trouble.WRITE,
          FaultyStore.Trouble.COMPLETE,
          FaultyStore.Trouble.ENTRY);

  @TempDir private Path folder;

  @Test
  @Timeout(180)
  void whatSessionsSeeWithoutFaultsIsSnapshotIsolation() throws Exception {
    run(40, 0, 18);
  }

  @Test
  @Timeout(180)
  void whatSessionsSeeIsSnapshotIsolation() throws Exception {
    run(40, 2, 17);
  }

  @Test
  @Tag("nightly")
  @Timeout(600)
  void whatSessionsSeeIsSnapshotIsolationAtLength() throws Exception {
    run(1_000, 20, System.nanoTime());
  }

  private static TransactorOptions options(String name) {
    TransactorOptions defaults =
        TestCluster.options(name, TestCluster.LIMITS, 50, TestCluster.PATIENCE);
    return defaults.toBuilder().tables(ListSession.tables()).build();
  }

  private void run(int transactions, int failOvers, long seed) throws Exception {
    TransactionHistory history = new TransactionHistory();
    FaultyStore store = new FaultyStore(ObjectStores.open("fs:" + folder));
    try (TestCluster cluster = new TestCluster(store)) {
      List<TransactorNode> transactors = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        transactors.add(cluster.transactor(options("t" + i)));
      }
      Worker[] workers = new Worker[WORKERS];
      for (int i = 0; i < WORKERS; i++) {
        workers[i] =
            cluster.worker(
                new WorkerOptions("w" + i)
                    .withPatience(Duration.ofSeconds(60))
                    .withLoad(i == 0 ? LoadMode.STORE : LoadMode.OWN));
      }
      SideBySide sessions =
          SideBySide.start(
              SESSIONS,
              number -> {
                ListSession session =
                    new ListSession(workers[number % WORKERS], history, number + 1, seed, 0);
                for (int i = 0; i < transactions; i++) {
                  @Nullable TransactionOutcome unused = session.next();
                }
              });
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 1; i <= failOvers; i++) {
        history.awaitSize(SESSIONS * transactions * i / (failOvers + 1));
        Runnable wakeUp = cluster.cluster.deposePaused();
        store.make(TROUBLES.get(random.nextInt(TROUBLES.size())));
        int before = store.failures();
        Waiting.await(() -> store.failures() > before);
        store.mend();
        wakeUp.run();
      }
      sessions.await();
      transactors.forEach(TransactorNode::close);
      FinalState.addTo(history, store);
      assertThat(IsolationChecker.check(history, failOvers > 0)).as("seed %d", seed).isEmpty();
      assertThat(history.count(TransactionOutcome.COMMITTED)).isGreaterThan(transactions);
      assertThat(history.count(TransactionOutcome.CONFLICT)).isPositive();
      System.out.printf(
          "isolation: %s, %d fail-overs, seed %d%n", history.summary(), failOvers, seed);
    }
  }
}
