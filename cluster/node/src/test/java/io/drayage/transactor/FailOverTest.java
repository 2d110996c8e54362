package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.OnConflict;
import io.drayage.testing.Waiting;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More than one transactor, of which one at a time is primary. */
class FailOverTest {
  private static final int COMMITS = 20;

  @TempDir private Path folder;

  private final History history = new History();

  @Test
  @Timeout(120)
  void primariesHandOverWithoutAFailedCommit() throws Exception {
    try (TestCluster cluster = new TestCluster(folder);
        Coordination operator = new InMemoryCoordination(cluster.cluster)) {
      TransactorNode first = cluster.transactor("t1");
      TransactorNode second = cluster.transactor("t2");
      SideBySide workers = SideBySide.start(2, number -> commitAll(cluster, number));
      history.awaitSize(5);
      operator.requestHandOver(1, "t2");
      Waiting.await(() -> second.epoch().equals(Optional.of(2L)));

      operator.requestHandOver(1, "t1"); // No second time, because that epoch is over.
      operator.requestHandOver(2, "t1");
      workers.await();

      assertThat(history.size()).isEqualTo(2 * COMMITS);
      Waiting.await(() -> first.epoch().equals(Optional.of(3L)));
      assertThat(second.isPrimary()).isFalse();
      history.check(cluster.objects);
    }
  }

  @Test
  void aPausedPrimaryThatWakesUpCannotPublish() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode paused = cluster.transactor("t1");
      TransactorNode second = cluster.transactor("t2");
      Worker worker = cluster.worker("w1");
      history.commit(worker, 1, 1);
      long before = worker.snapshot().timestamp();

      Runnable wakeUp = cluster.cluster.deposePaused();
      // It does not know that, and still accepts a cargo from a worker that does not know either.
      history.commit(worker, 1, 2);
      wakeUp.run();
      history.commit(worker, 1, 3);

      assertThat(second.epoch()).hasValue(2L);
      assertThat(paused.epoch()).isEmpty();
      assertThat(worker.snapshot().timestamp()).isGreaterThan(before);
      history.check(cluster.objects);
    }
  }

  private void commitAll(TestCluster cluster, int number) throws Exception {
    WorkerOptions options =
        new WorkerOptions("w" + number)
            .withPatience(Duration.ofSeconds(30))
            .withCommit(new CommitOptions(Acknowledgement.PUBLISHED, OnConflict.REJECT));
    Worker worker = cluster.worker(options);
    worker.addListener(Workload::check);
    for (int i = 1; i <= COMMITS; i++) {
      history.commit(worker, number, i);
    }
  }
}
