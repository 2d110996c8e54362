package io.drayage.transactor;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.ReceiverLimits;
import io.drayage.replica.Replica;
import io.drayage.replica.SnapshotColumns;
import io.drayage.segment.Manifest;
import io.drayage.send.CargoSender;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.column.StoredTable;
import io.drayage.testing.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pipeline of one term, with failures between its steps. */
@Timeout(180)
class CommitPipelineTest extends PipelineFixture {
  @TempDir private Path folder;

  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private ObjectStore objects;
  private CargoSender sender;

  /** Set to cause one failure. */
  private volatile boolean failToQueue;

  private volatile boolean failAfterLogging;

  /** Set to make memory wrong after the next commit. */
  private volatile boolean spoilMemory;

  @BeforeEach
  void start() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    open(() -> Thread.setDefaultUncaughtExceptionHandler(before));
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> fatal.add(thrown));
    objects = open(FolderStore.open(folder));
    takeOver(objects, new TestTerm(1), FailingQueue::new);
    sender = startPipeline();
  }

  private final class FailingQueue extends PendingCommits {
    FailingQueue(StoreSnapshot stored) {
      super(stored);
    }

    @Override
    synchronized void add(PendingCommit commit) {
      if (failToQueue) {
        failToQueue = false;
        throw new OutOfMemoryError("as asked for");
      }
      if (spoilMemory) {
        spoilMemory = false;
        // Changed before the log thread can see it.
        ((int[]) commit.after().table("left").column("number").extent(0).page(0))[1]++;
      }
      super.add(commit);
    }
  }

  @Override
  void stored(SnapshotEntry entry) {
    if (failAfterLogging) {
      failAfterLogging = false;
      throw new IllegalStateException("as asked for");
    }
    replica.follow(entry);
  }

  private ChangeCargo next(int transaction) {
    return Workload.next(replica.snapshot(), 1, transaction).toCargo();
  }

  private long send(ChangeCargo cargo, Acknowledgement acknowledgement) throws Exception {
    return sender
        .send(cargo, new CommitOptions(acknowledgement, OnConflict.REJECT))
        .snapshotTimestamp();
  }

  /** Fails unless the log leads from the first snapshot to this one. */
  private void assertLogEndsAt(long timestamp, int transactions) throws IOException {
    try (Replica copy = Replica.open(objects, 2, 1 << 28, 0, ReceiverLimits.DATA_ONLY)) {
      assertThat(copy.advance(Long.MAX_VALUE)).isEqualTo(timestamp);
      Workload.check(copy.snapshot());
      assertThat(Workload.committed(copy.snapshot(), 1)).isEqualTo(transactions);
    }
  }

  @Test
  void aCommitThatCannotBeQueuedLeavesNothingInMemory() throws Exception {
    long first = send(next(1), Acknowledgement.STORED);
    StoreSnapshot before = replica.snapshot();
    ChangeCargo unlucky = next(2);
    failToQueue = true;

    assertFault(Fault.INTERNAL, () -> send(unlucky, Acknowledgement.STORED));

    assertThat(fatal).singleElement().isInstanceOf(OutOfMemoryError.class);
    assertThat(replica.snapshot()).isSameAs(before);
    assertThat(replica.timestampOf(unlucky.transactionId())).isEmpty();
    assertThat(send(unlucky, Acknowledgement.STORED)).isEqualTo(first + 1);
    assertLogEndsAt(first + 1, 2);
    assertThat(lost).isEmpty();
  }

  @Test
  void snapshotsOfThePastAreReadAsTheyWere() throws Exception {
    long first = send(next(1), Acknowledgement.STORED);
    long digest = CargoDigest.of(replica.snapshot().liveRows());
    long second = send(next(2), Acknowledgement.STORED);

    assertThat(CargoDigest.of(read(OptionalLong.of(first)).liveRows())).isEqualTo(digest);
    assertThat(read(OptionalLong.empty()).timestamp()).isEqualTo(second);
    assertThat(CargoDigest.of(read(OptionalLong.empty()).liveRows()))
        .isEqualTo(CargoDigest.of(replica.snapshot().liveRows()))
        .isNotEqualTo(digest);
    assertThatThrownBy(() -> read(OptionalLong.of(second + 1)))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining(
            format("does not hold snapshot %d, only up to %d", second + 1, second));
    assertThatThrownBy(() -> read(OptionalLong.of(-1)))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("no longer holds snapshot -1: its oldest full snapshot is ");
  }

  @Test
  void someColumnsOfASnapshotAreReadWithoutTheOthers() throws Exception {
    long first = send(next(1), Acknowledgement.STORED);
    long unused = send(next(2), Acknowledgement.STORED);
    StoreSnapshot past = read(OptionalLong.of(first));
    for (StoredTable table : past.tables()) {
      for (ColumnSchema column : table.schema().columns()) {
        BiPredicate<String, String> wanted =
            (name, each) -> name.equals(table.schema().name()) && each.equals(column.name());
        try (SnapshotColumns columns = columns(OptionalLong.of(first))) {
          assertThat(columns.tables().get(table.schema().name()))
              .isEqualTo(table.schema().columns());
          assertThat(CargoDigest.of(columns.read(wanted)))
              .as(column.name())
              .isEqualTo(CargoDigest.of(past.liveRows(wanted)));
        }
      }
    }
    assertThatThrownBy(() -> columns(OptionalLong.of(Long.MAX_VALUE)))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("does not hold snapshot");
  }

  @Test
  void columnsOfATableAdvanceWithTheLog() throws Exception {
    long first = send(next(1), Acknowledgement.STORED);
    long second = send(next(2), Acknowledgement.STORED);
    StoreSnapshot past = read(OptionalLong.of(first));
    StoreSnapshot now = read(OptionalLong.of(second));
    try (SnapshotColumns earlier = columns(OptionalLong.of(first));
        SnapshotColumns newest = columns(OptionalLong.empty())) {
      for (StoredTable table : now.tables()) {
        String name = table.schema().name();
        assertThat(newest.size(name).rows()).isBetween(table.liveRowCount(), table.rowCount());
        for (ColumnSchema column : table.schema().columns()) {
          BiPredicate<String, String> wanted =
              (each, other) -> each.equals(name) && other.equals(column.name());
          StoredTable before = earlier.table(name, Set.of(column.name()));
          assertSameRows(StoreSnapshot.of(first, before), past, wanted);
          StoredTable after = newest.advance(before, first);
          assertSameRows(StoreSnapshot.of(second, after), now, wanted);
          assertThat(after.rowCount()).isEqualTo(table.rowCount());
        }
      }
    }
  }

  private static void assertSameRows(
      StoreSnapshot actual, StoreSnapshot expected, BiPredicate<String, String> wanted) {
    assertThat(CargoDigest.of(actual.liveRows()))
        .isEqualTo(CargoDigest.of(expected.liveRows(wanted)));
  }

  private SnapshotColumns columns(OptionalLong timestamp) throws IOException {
    return SnapshotColumns.open(objects, 2, ReceiverLimits.DATA_ONLY, timestamp);
  }

  private StoreSnapshot read(OptionalLong timestamp) throws IOException {
    return Replica.read(objects, 2, 1 << 28, ReceiverLimits.DATA_ONLY, timestamp);
  }

  @Test
  void aManifestThatWillNotFitIsRefusedUnlessItsTransactionIsKnown() throws Exception {
    long used = replica.snapshot().memoryBytes();
    Manifest tooLarge = inserting(new UUID(7, 7), DATABASE_BYTES / Long.BYTES);
    assertFault(Fault.FULL, () -> memory.requireRoom(tooLarge))
        .hasMessageContaining(format("the database takes %,d bytes", used))
        .hasMessageContaining(format("would add %,d", DATABASE_BYTES))
        .hasMessageContaining(format("the limit is %,d", DATABASE_BYTES));
    memory.requireRoom(inserting(new UUID(7, 7), (DATABASE_BYTES - used) / Long.BYTES));

    ChangeCargo known = next(1);
    send(known, Acknowledgement.STORED);
    memory.requireRoom(inserting(known.transactionId(), DATABASE_BYTES));

    pipeline.close();
    assertFault(Fault.CANCELLED, () -> memory.requireRoom(tooLarge));
  }

  @Test
  void everyEntryHasTheDigestOfItsCargo() throws Exception {
    ChangeCargo cargo = next(1);
    long timestamp = send(cargo, Acknowledgement.STORED);

    assertThat(replica.catalog().entry(timestamp).manifest().kind())
        .isInstanceOfSatisfying(
            SnapshotKind.Commit.class,
            commit -> assertThat(commit.applied()).isEqualTo(AppliedDigest.of(cargo)));
  }

  /** A repetition would end the term of every other primary with the same defect. */
  @ParameterizedTest
  @EnumSource(names = {"STORED", "PUBLISHED"})
  void whatIsAppliedWronglyIsNotLoggedAndEndsTheTerm(Acknowledgement acknowledgement)
      throws Exception {
    long first = send(next(1), Acknowledgement.STORED);
    StoreSnapshot before = replica.snapshot();
    ChangeCargo unlucky = next(2);
    spoilMemory = true;

    assertFault(Fault.INTERNAL, () -> send(unlucky, acknowledgement))
        .hasMessageContaining(format("snapshot %d was applied wrongly", first + 1))
        .hasMessageContaining(CargoDigest.toHex(AppliedDigest.of(unlucky)));

    Waiting.await(() -> !lost.isEmpty());
    assertThat(wrong).containsExactly(first + 1);
    assertThat(lost).singleElement().asString().contains("was applied wrongly");
    assertThat(replica.snapshot()).isSameAs(before);
    assertFault(Fault.CANCELLED, () -> send(unlucky, acknowledgement));
    assertLogEndsAt(first, 1);
  }

  /** There are two guards against a gap. This one does not trust memory. */
  @Test
  void theTermEndsBeforeAnEntryLeavesAHole() throws Exception {
    long first = send(next(1), Acknowledgement.STORED);
    // A snapshot that was not queued.
    replica.store().replayUnchanged(first + 1);
    ChangeCargo above = next(2);

    assertFault(Fault.CANCELLED, () -> send(above, Acknowledgement.STORED))
        .hasMessageContaining(
            format(
                "snapshot %d cannot be logged after entry %d: %d is next",
                first + 2, first, first + 1));

    Waiting.await(() -> !lost.isEmpty());
    assertThat(fatal).isNotEmpty().allMatch(AssertionError.class::isInstance);
    assertThat(replica.snapshot().timestamp()).isEqualTo(first);
    assertLogEndsAt(first, 1);
  }

  /** A repetition shows its worker that the commit has taken effect. The node goes on. */
  @ParameterizedTest
  @EnumSource(names = {"STORED", "PUBLISHED"})
  void aLogThatFailsAfterAnAppendLetsWorkersSendAgain(Acknowledgement acknowledgement)
      throws Exception {
    long first = send(next(1), Acknowledgement.STORED);
    ChangeCargo unlucky = next(2);
    failAfterLogging = true;

    assertFault(Fault.CANCELLED, () -> send(unlucky, acknowledgement))
        .hasMessageContaining("the log cannot go on")
        .hasMessageContaining("as asked for");

    Waiting.await(() -> !lost.isEmpty());
    assertLogEndsAt(first + 1, 2);
    replica.advance(Long.MAX_VALUE);
    assertThat(replica.timestampOf(unlucky.transactionId())).hasValue(first + 1);
    assertThat(fatal).isEmpty();
    Workload.check(replica.snapshot());
  }
}
