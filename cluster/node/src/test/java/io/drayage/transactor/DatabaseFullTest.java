package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.store.MemoryLimit;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.testing.LoggedRecords;
import io.drayage.testing.Waiting;
import io.drayage.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database that grows until it is full. */
@Timeout(120)
class DatabaseFullTest {
  /** Bytes of the tables when each worker has written its number, and some more. */
  private static final long SMALL_BYTES = 4_000;

  /** Bytes that a delete may add beyond the limit: a bit for each row of a page. */
  private static final long DELETED_BYTES = ColumnValues.DEFAULT_ROWS_PER_PAGE / 8;

  @TempDir private Path folder;

  private static TransactorOptions options(String name, long maxBytes) {
    return TestCluster.options(
        name,
        TestCluster.LIMITS,
        new MemoryLimit(maxBytes, 10 * maxBytes),
        5,
        TestCluster.PATIENCE);
  }

  /** Commits until the database is full; returns the number of the transaction that did not fit. */
  private static int fill(Worker worker, History history, int from) throws Exception {
    for (int number = from; ; number++) {
      Transaction next = Workload.next(worker.snapshot(), 1, number);
      try {
        history.acknowledged(1, next.id(), worker.commit(next).timestamp());
      } catch (ShipmentException e) {
        assertThat(e.fault()).as("%s", e).isEqualTo(Fault.FULL);
        assertThat(e).hasMessageContaining("the limit is %,d", SMALL_BYTES);
        history.refused(next.id());
        return number;
      }
    }
  }

  @Test
  void refusesWhatDoesNotFitAndGoesOnWithMoreRoom() throws Exception {
    History history = new History();
    int next;
    try (LoggedRecords logged = new LoggedRecords();
        TestCluster cluster = new TestCluster(folder)) {
      TransactorNode first = cluster.transactor(options("t1", SMALL_BYTES));
      TransactorNode second = cluster.transactor(options("t2", SMALL_BYTES));
      Worker worker = cluster.worker("w1");
      next = fill(worker, history, 1);
      assertThat(next).isGreaterThan(10);
      StoreSnapshot full = worker.snapshot();
      assertThat(first.snapshot().memoryBytes()).isBetween(SMALL_BYTES / 2, SMALL_BYTES);

      history.check(cluster.objects);

      // A commit that adds nothing is accepted, and the standby takes over at the same size. The
      // row has its default values: a full snapshot stores these for a deleted row.
      Transaction deleting = Transaction.on(full);
      deleting.delete("left", Workload.WORKERS - 1);
      history.acknowledged(1, deleting.id(), worker.commit(deleting).timestamp());
      first.close();
      Waiting.await(second::isPrimary);
      assertThat(fill(worker, history, next)).isEqualTo(next);
      assertThat(second.snapshot().memoryBytes())
          .isBetween(SMALL_BYTES / 2, SMALL_BYTES + DELETED_BYTES);
      assertThat(logged.lines())
          .anyMatch(line -> line.contains("more than 80 % of its limit of 4,000"))
          .anyMatch(line -> line.contains("more than 95 % of its limit of 4,000"));
    }

    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode node = cluster.primary(options("t1", 10 * SMALL_BYTES));
      Worker worker = cluster.worker("w1");
      assertThat(worker.awaitSnapshot(node.snapshot().timestamp(), Duration.ofSeconds(60)))
          .isTrue();
      history.commit(worker, 1, next);
      Workload.check(worker.snapshot());
    }
  }
}
