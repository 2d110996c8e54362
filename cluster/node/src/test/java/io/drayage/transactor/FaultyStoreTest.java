package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.database.LoadMode;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.FaultyFolders;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.ReceiverLimits;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.snapshot.NewestFull;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotCleaner;
import io.drayage.store.Transaction;
import io.drayage.testing.Waiting;
import io.drayage.worker.CommitReport;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.DistributedTransaction.How;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A failing object store: the commit fails with the reason, and the next one succeeds. */
class FaultyStoreTest {
  private static final CommitOptions APPLIED =
      new CommitOptions(Acknowledgement.APPLIED, OnConflict.REJECT);

  @TempDir private Path folder;

  private final History history = new History();
  private FaultyStore store;
  @AutoClose private TestCluster cluster;

  @BeforeEach
  void open() throws IOException {
    store = new FaultyStore(ObjectStores.open("fs:" + folder));
    cluster = new TestCluster(store);
  }

  /** A worker of a cluster of one transactor that has committed. */
  private Worker begun() throws Exception {
    cluster.transactor("t1");
    Worker worker = cluster.worker("w1");
    history.commit(worker, 1, 1);
    return worker;
  }

  @ParameterizedTest
  @EnumSource(FaultyStore.Trouble.class)
  void aCommitThatCannotBeStoredFailsByName(FaultyStore.Trouble trouble) throws Exception {
    cluster.transactor(TestCluster.options("t1", TestCluster.LIMITS, 1_000, Duration.ofSeconds(2)));
    Worker worker = cluster.worker("w1");
    Worker impatient =
        cluster.worker(new WorkerOptions("w2").withLongestWait(Duration.ofMillis(100)));
    history.commit(worker, 1, 1);

    store.make(trouble);
    Transaction unlucky = Workload.nextLarge(worker.snapshot(), 1, 2);
    boolean mayPass = trouble.message().contains("no space");
    assertFails(
        () -> impatient.commit(unlucky),
        mayPass ? Fault.BUSY : Fault.REFUSED,
        mayPass ? "cannot be written" : "cannot be stored",
        trouble.message());
    store.mend();
    history.refused(unlucky.id());
    history.commit(worker, 1, 2);
    history.commit(worker, 1, 3);

    Workload.check(worker.snapshot());
    history.check(cluster.objects);
  }

  /** A coordinator has no replica that would show the loss. */
  @Test
  void whatSeveralWorkersChangeIsNotAcknowledgedBeforeItIsStored() throws Exception {
    How applied = new How(Acknowledgement.APPLIED, OnConflict.REJECT, false, null);
    TransactorNode node = cluster.primary("t1");
    try (DistributedTransaction transaction = cluster.begin("driver");
        FragmentSender sender = cluster.fragments(transaction.handle())) {
      List<UUID> fragments = sender.send(Workload.nextLarge(node.snapshot(), 1, 1).toCargo());
      store.make(FaultyStore.Trouble.ENTRY);
      assertFails(
          () -> transaction.commit(fragments, applied),
          Fault.REFUSED,
          FaultyStore.Trouble.ENTRY.message());
      store.mend();
      long committed = transaction.commit(fragments, applied).snapshot();

      SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
      assertThat(catalog.entry(committed).manifest().transactionId())
          .isEqualTo(transaction.handle().transaction());
    }
    Workload.check(node.snapshot());
  }

  /** The entry is in the log, but a loss of power may undo that. */
  @ParameterizedTest
  @ValueSource(ints = {1, Integer.MAX_VALUE})
  void anEntryWhoseNameCannotBeForcedIsNotAcknowledged(int failures) throws Exception {
    FaultyFolders disk = new FaultyFolders("snapshots");
    try (TestCluster cluster = new TestCluster(disk.open(folder.resolve("faulty")))) {
      TransactorNode node = cluster.transactor("t1");
      Worker worker = cluster.worker("w1");
      history.commit(worker, 1, 1);
      Transaction unlucky = Workload.nextLarge(worker.snapshot(), 1, 2);
      int port = TestCluster.port(node);
      disk.fail(failures);
      try (CargoSender sender = cluster.sender(port)) {
        assertFails(
            () -> sender.send(unlucky.toCargo()),
            Fault.CANCELLED,
            "unknown whether entry 3 of the log was stored",
            "Input/output error");
      }
      if (failures > 1) {
        Waiting.await(() -> node.takeoverFailure() != null);
        assertThat(node.takeoverFailure()).hasMessageContaining("Input/output error");
        assertThat(node.isPrimary()).isFalse();
        disk.fail(0);
      }

      history.acknowledged(1, unlucky.id(), worker.commit(unlucky).timestamp());

      assertThat(worker.snapshot().timestamp()).isGreaterThan(3);
      history.commit(worker, 1, 3);
      history.check(cluster.objects);
    }
  }

  /** The retry finds its own entry, or another node's, which ends the term but loses nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEntryThatTurnsUpLateHasTakenEffectWhicheverNodeFindsIt(boolean other) throws Exception {
    Worker worker = begun();
    Transaction unlucky = refusedAndLate(worker, 1, 2);
    long late = worker.snapshot().timestamp() + 1;

    if (other) {
      history.commit(cluster.worker("w2"), 2, 1);
    }
    long timestamp = worker.commit(unlucky).timestamp();

    assertThat(timestamp).isEqualTo(late);
    history.acknowledged(1, unlucky.id(), timestamp);
    assertThat(Workload.committed(worker.snapshot(), 1)).isEqualTo(2);
    history.commit(worker, 1, 3);
    history.check(cluster.objects);
  }

  @Test
  void anEntryThatTurnsUpTooLateIsNothing() throws Exception {
    cluster.transactor("t1");
    Worker worker = cluster.worker("w1");
    Worker other = cluster.worker("w2");
    history.commit(worker, 1, 1);
    store.make(FaultyStore.Trouble.LATE);
    Transaction unlucky = Workload.nextLarge(worker.snapshot(), 1, 2);
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> worker.commit(unlucky))
        .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.REFUSED))
        .satisfies(e -> assertThat(e.outcome()).isEqualTo(ShipmentException.Outcome.UNKNOWN));
    store.mend();
    history.commit(other, 2, 1);
    store.arrive();

    history.acknowledged(1, unlucky.id(), worker.commit(unlucky).timestamp());

    history.check(cluster.objects);
  }

  /** No other worker commits. The entry that takes its place is that of a takeover. */
  @Test
  void anAppliedCommitThatCannotBeStoredIsSentAgain() throws Exception {
    Worker worker = begun();
    Transaction unlucky = Workload.nextLarge(worker.snapshot(), 1, 2);
    store.make(FaultyStore.Trouble.ENTRY);

    Waiting.Running<CommitReport> committing = Waiting.start(() -> worker.commit(unlucky, APPLIED));
    Waiting.await(() -> store.failures() > 0);
    store.mend();

    history.acknowledged(1, unlucky.id(), committing.get().timestamp());
    history.commit(worker, 1, 3);
    history.check(cluster.objects);
  }

  @Test
  void anInterruptDoesNotHideThatACommitMayTakeEffect() throws Exception {
    TransactorNode node = cluster.transactor("t1");
    Worker worker = cluster.worker("w1");
    long before = worker.snapshot().timestamp();
    Transaction stalled = Workload.nextLarge(worker.snapshot(), 1, 1);
    store.make(FaultyStore.Trouble.STALL);
    Waiting.Running<CommitReport> committing = Waiting.start(() -> worker.commit(stalled));
    Waiting.await(() -> node.snapshot().timestamp() == before + 1);

    committing.thread().interrupt();

    assertThatThrownBy(committing::get)
        .cause()
        .isInstanceOfSatisfying(
            ShipmentException.class,
            e -> {
              assertThat(e.fault()).isEqualTo(Fault.CANCELLED);
              assertThat(e.outcome()).isEqualTo(ShipmentException.Outcome.UNKNOWN);
            });
    store.mend();
    assertThat(worker.commit(stalled).timestamp()).as("the same again").isEqualTo(before + 1);
  }

  /** The worker of the first one has left, so that nothing takes the place of the second. */
  @Test
  void soIsOneThatWasAppliedOnTop() throws Exception {
    TransactorNode node = cluster.transactor("t1");
    Worker leaving = cluster.worker("w1");
    Worker worker = cluster.worker("w2");
    history.commit(worker, 2, 1);
    long before = worker.snapshot().timestamp();
    Transaction first = Workload.nextLarge(worker.snapshot(), 1, 1);
    Transaction second = Workload.nextLarge(worker.snapshot(), 2, 2);
    store.make(FaultyStore.Trouble.STALL);

    Waiting.Running<CommitReport> abandoned = Waiting.start(() -> leaving.commit(first, APPLIED));
    Waiting.await(() -> node.snapshot().timestamp() == before + 1);
    Waiting.Running<CommitReport> committing = Waiting.start(() -> worker.commit(second, APPLIED));
    Waiting.await(() -> node.snapshot().timestamp() == before + 2);
    leaving.close();
    assertThatThrownBy(abandoned::get).hasCauseInstanceOf(IOException.class);
    store.fail("connection reset");

    history.acknowledged(2, second.id(), committing.get().timestamp());
    history.check(cluster.objects);
  }

  /** Makes a transaction that is refused, but whose entry is stored afterwards. */
  private Transaction refusedAndLate(Worker worker, int number, int transaction)
      throws IOException {
    store.make(FaultyStore.Trouble.LATE);
    Transaction unlucky = Workload.nextLarge(worker.snapshot(), number, transaction);
    assertFails(() -> worker.commit(unlucky), Fault.REFUSED, "timed out");
    store.mend();
    store.arrive();
    return unlucky;
  }

  /** Otherwise its objects would be deleted while it reads them, again and again. */
  @Test
  void aNodeThatLoadsSlowlyIsNotOutrunByFullSnapshots() throws Exception {
    try (TestCluster cluster = new TestCluster(ObjectStores.open("fs:" + folder))) {
      cluster.transactor(TestCluster.options("t1", TestCluster.LIMITS, 1, TestCluster.PATIENCE));
      Worker writer = cluster.worker("w1");
      SnapshotCatalog catalog = new SnapshotCatalog(cluster.objects);
      SnapshotCleaner cleaner = new SnapshotCleaner(catalog, System::nanoTime);
      AtomicInteger number = new AtomicInteger();
      store.beforeReads(
          () -> {
            // Before the node has marked the snapshot that it loads, the time of grace protects it.
            if (number.get() > 5 || cluster.objects.list("loading/").isEmpty()) {
              return;
            }
            NewestFull before = catalog.newestFull().orElseThrow();
            while (catalog.newestFull().orElseThrow().timestamp() == before.timestamp()) {
              writer.commit(Workload.nextLarge(writer.snapshot(), 1, number.incrementAndGet()));
            }
            int unused = cleaner.prune(Duration.ZERO, Long.MAX_VALUE, List.of());
          });

      try (Replica slow = Replica.open(store, 1, 1 << 28, 1 << 24, ReceiverLimits.DATA_ONLY)) {
        assertThat(number).hasPositiveValue();
        assertThat(slow.advance(Long.MAX_VALUE)).isPositive();
        Workload.check(slow.snapshot());
      }
      assertThat(cluster.objects.list("loading/")).isEmpty();
    }
  }

  @Test
  void garbageIsNamedAndNotServed() throws Exception {
    cluster.transactor("t1");
    Worker writer = cluster.worker("w1");
    Worker reader = cluster.worker(new WorkerOptions("w2").withLoad(LoadMode.STORE));
    long before = reader.snapshot().timestamp();
    store.flipBitsOfReads(true);
    Transaction next = Workload.nextLarge(writer.snapshot(), 1, 1);

    Waiting.Running<CommitReport> committing = Waiting.start(() -> writer.commit(next));
    Waiting.await(() -> reader.failure() != null);

    assertThat(reader.failure()).hasMessageContaining("data/");
    assertThat(reader.snapshot().timestamp()).isLessThanOrEqualTo(before + 1);
    assertThat(Workload.committed(reader.snapshot(), 1)).isZero();
    store.flipBitsOfReads(false);
    committing.get();
    assertThat(reader.awaitSnapshot(writer.snapshot().timestamp(), TestCluster.PATIENCE)).isTrue();
    assertThat(Workload.committed(reader.snapshot(), 1)).isEqualTo(1);
  }
}
