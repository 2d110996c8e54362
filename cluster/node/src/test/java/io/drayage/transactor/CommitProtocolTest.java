package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Waits;
import io.drayage.receive.ReceiverLimits;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.worker.CommitReport;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One transactor and some workers, from the request to the loaded snapshot. */
class CommitProtocolTest {
  private static final Duration SOON = TestCluster.PATIENCE;

  @TempDir private Path folder;

  /** Each commit is within the limit. */
  @Test
  void aDatabaseLargerThanTheLargestCargoIsLoadedAgain() throws Exception {
    TransactorOptions small =
        TestCluster.options("t1", new ReceiverLimits(1 << 20, 8 << 20, 4), 5, SOON);
    int rows = 80_000;
    long last = 0;
    try (TestCluster cluster = new TestCluster(folder)) {
      cluster.transactor(small);
      Worker worker = cluster.worker("w1");
      for (int i = 1; i <= 6; i++) {
        last = worker.commit(insertsOf(worker.snapshot(), rows)).timestamp();
      }
      SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
      Waiting.await(() -> catalog.fullTimestamps().contains(5L));
    }
    try (TestCluster cluster = new TestCluster(folder)) {
      cluster.transactor(small);
      Worker worker = cluster.worker("w1");
      assertThat(worker.awaitSnapshot(last, SOON)).isTrue();
      assertThat(worker.snapshot().table("events").rowCount()).isEqualTo(6L * rows);
    }
  }

  private static Transaction insertsOf(StoreSnapshot snapshot, int rows) {
    Transaction transaction = Transaction.on(snapshot);
    transaction.insertRows(
        "events",
        Map.of(
            "worker",
            ColumnValues.of(new int[][] {new int[rows]}),
            "number",
            ColumnValues.of(new int[][] {new int[rows]}),
            "note",
            ColumnValues.ofTexts(new String[][] {new String[rows]})));
    return transaction;
  }

  @Test
  void aNodeReadsNoSerializerThatItDoesNotAllow() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      cluster.useStreams();
      cluster.transactor("t1");
      Worker writer = cluster.worker("w1");
      try (Replica strict =
          Replica.open(cluster.objects, 1, 1 << 28, 0, ReceiverLimits.DATA_ONLY)) {
        long before = strict.snapshot().timestamp();
        long timestamp = writer.commit(Workload.nextLarge(writer.snapshot(), 1, 1)).timestamp();

        assertThatThrownBy(() -> strict.advance(timestamp))
            .hasMessageContaining("data/")
            .hasMessageContaining("serializer 'java' is not allowed here, only [");
        assertThat(strict.snapshot().timestamp())
            .isEqualTo(timestamp - 1)
            .isGreaterThanOrEqualTo(before);
      }
    }
  }

  @Test
  void aWorkerThatDoesNotReadWhatIsAcceptedDoesNotStart() throws Exception {
    try (TestCluster cluster = new TestCluster(folder);
        Coordination session = new InMemoryCoordination(cluster.cluster)) {
      cluster.transactor("t1");
      assertFails(
          () ->
              Worker.open(
                  new WorkerOptions("w1"), session, cluster.objects, address -> cluster.sender(1)),
          CoordinationException.class,
          "node 'w1' does not read what transactor 't1' accepts: serializer.java");
      assertThat(session.liveNodes()).hasSize(1);
    }
  }

  @Test
  @Timeout(180)
  void goesOnWhenListenersFail() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TransactorNode unused =
          cluster.transactor(
              TestCluster.options("t1"),
              commit -> {
                throw new IllegalStateException("a listener that fails");
              });
      Worker worker = cluster.worker("w1");
      worker.addListener(
          snapshot -> {
            throw new IllegalStateException("a listener that fails");
          });

      CommitReport first = worker.commit(Workload.nextLarge(worker.snapshot(), 1, 1));
      CommitReport second = worker.commit(Workload.nextLarge(worker.snapshot(), 1, 2));

      assertThat(second.timestamp()).isEqualTo(first.timestamp() + 1);
      assertThat(second.attempts()).isEqualTo(1);
    }
  }

  @Test
  void commitsOnceHoweverOftenItIsSentAlsoWhenFullSnapshotsHaveReplacedTheLog() throws Exception {
    ChangeCargo first;
    long timestamp;
    long last = 0;
    try (TestCluster cluster = new TestCluster(folder)) {
      cluster.transactor(TestCluster.options("t1", TestCluster.LIMITS, 5, SOON));
      Worker worker = cluster.worker("w1");
      first = Workload.nextLarge(worker.snapshot(), 1, 1).toCargo();
      timestamp = worker.commit(first, CommitOptions.DEFAULT).timestamp();
      assertThat(worker.commit(first, CommitOptions.DEFAULT).timestamp()).isEqualTo(timestamp);
      for (int number = 2; number <= 30; number++) {
        last = worker.commit(Workload.nextLarge(worker.snapshot(), 1, number)).timestamp();
      }
    }
    try (TestCluster restarted = new TestCluster(folder)) {
      restarted.transactor("t1");
      Worker worker = restarted.worker("w1");

      assertThat(worker.commit(first, CommitOptions.DEFAULT).timestamp()).isEqualTo(timestamp);
      assertThat(worker.awaitSnapshot(last, SOON)).isTrue();
      Workload.check(worker.snapshot());
      assertThat(Workload.committed(worker.snapshot(), 1)).isEqualTo(30);
    }
  }

  /** Returns the message of a standby. */
  private static String refusal(CargoSender sender, ChangeCargo cargo) {
    try {
      sender.send(cargo);
      throw new AssertionError("a standby took a cargo");
    } catch (ShipmentException e) {
      assertThat(e.fault()).isEqualTo(Fault.CANCELLED);
      assertThat(e).hasMessageContaining("not the primary now");
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The refusal is made on an event loop, which other connections need. */
  @Test
  @Timeout(180)
  void aStandbyRefusesCargoesWhileTheCoordinationDoesNotAnswer() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    try (TestCluster cluster = new TestCluster(folder);
        Coordination silent = silentUntil(answers, cluster);
        TransactorNode primary = cluster.transactor("t1");
        TransactorNode standby = cluster.transactor("t2", silent)) {
      try (CargoSender sender = cluster.sender(TestCluster.port(standby))) {
        ChangeCargo cargo = Workload.nextLarge(primary.snapshot(), 1, 1).toCargo();
        Waiting.await(() -> refusal(sender, cargo).contains(primary.node().address()));
      } finally {
        answers.countDown();
      }
    }
  }

  /** Notifies its watchers of the primary, but answers no request. */
  private static Coordination silentUntil(CountDownLatch answers, TestCluster cluster) {
    return new InMemoryCoordination(cluster.cluster) {
      @Override
      public Optional<PrimaryInfo> primary() {
        Waits.orInterrupted(answers::await);
        return super.primary();
      }
    };
  }
}
