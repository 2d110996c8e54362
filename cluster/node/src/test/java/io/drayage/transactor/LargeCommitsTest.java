package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.receive.CargoCommitter;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.snapshot.CargoUpload;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.StoreFiller;
import io.drayage.store.StoreSnapshot;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large cargoes whose data is being stored, beside small ones. */
@Timeout(120)
class LargeCommitsTest extends PipelineFixture {
  private final FaultyStore objects = new FaultyStore(new MemoryObjects("memory:"));
  private final AtomicInteger received = new AtomicInteger();
  private volatile LargeCommits large;
  private CargoSender sender;

  @BeforeEach
  void start() throws Exception {
    takeOver(objects, new TestTerm(1), PendingCommits::new);
    large = open(new LargeCommits(memory, TIMEOUT.toMillis(), new DrayageMetrics()));
    sender = startPipeline();
    objects.make(FaultyStore.Trouble.STALL);
  }

  /** Takes cargoes of texts as large. */
  @Override
  CargoCommitter<CargoUpload> committer() {
    return cargo -> {
      boolean isApplied = cargo.header().options().acknowledgement() == Acknowledgement.APPLIED;
      if (isApplied || cargo.recording().stored().isDone()) {
        return memory.commit(cargo);
      }
      received.incrementAndGet();
      return large.commit(cargo);
    };
  }

  @Override
  void stored(SnapshotEntry entry) {
    replica.follow(entry);
  }

  private Waiting.Running<Long> sending(ChangeCargo cargo) {
    return sending(cargo, Acknowledgement.STORED);
  }

  private Waiting.Running<Long> sending(ChangeCargo cargo, Acknowledgement level) {
    return Waiting.start(
        () -> sender.send(cargo, new CommitOptions(level, OnConflict.REJECT)).snapshotTimestamp());
  }

  private Waiting.Running<Long> sendingLarge(ChangeCargo cargo) {
    int before = received.get();
    Waiting.Running<Long> running = sending(cargo);
    Waiting.await(() -> received.get() > before);
    return running;
  }

  private static ChangeCargo large(StoreSnapshot on, int worker) {
    return Workload.nextLarge(on, worker, 1).toCargo();
  }

  private long sendSmall(int worker) throws Exception {
    return sending(Workload.next(replica.snapshot(), worker, 1).toCargo()).get();
  }

  @Test
  void smallCargoesCommitWhileTheDataOfLargeOnesIsStored() throws Exception {
    long before = replica.snapshot().timestamp();
    StoreSnapshot on = replica.snapshot();
    List<Waiting.Running<Long>> running = new ArrayList<>();
    for (int worker = 1; worker <= 3; worker++) {
      running.add(sendingLarge(large(on, worker)));
    }

    for (int i = 1; i <= 5; i++) {
      assertThat(sendSmall(3 + i)).isEqualTo(before + i);
    }
    objects.mend();

    for (int i = 0; i < running.size(); i++) {
      assertThat(running.get(i).get()).isEqualTo(before + 6 + i);
    }
    Workload.check(replica.snapshot());
    StoreFiller.assertIntact(replica.catalog());
    try (Replica copy = Replica.open(objects, 2, 1 << 28, 0, TestCluster.LIMITS.codecs())) {
      assertThat(copy.advance(Long.MAX_VALUE)).isEqualTo(before + 8);
      Workload.check(copy.snapshot());
    }
  }

  @Test
  void aLargeCargoThatCannotBeStoredUndoesNoOther() throws Exception {
    long before = replica.snapshot().timestamp();
    ChangeCargo cargo = large(replica.snapshot(), 1);
    Waiting.Running<Long> running = sendingLarge(cargo);
    assertThat(sendSmall(2)).isEqualTo(before + 1);
    Waiting.await(() -> objects.stalled() > 0);

    objects.fail("connection reset");

    assertFault(Fault.REFUSED, () -> causeOf(running));
    assertThat(sendSmall(3)).isEqualTo(before + 2);
    assertThat(undone).hasValue(0);
    Workload.check(replica.snapshot());
  }

  @Test
  void changesOfOthersMeanwhileConflict() throws Exception {
    StoreSnapshot on = replica.snapshot();
    Waiting.Running<Long> running = sendingLarge(large(on, 1));
    long other = sendSmall(1);

    objects.mend();

    assertFault(Fault.CONFLICT, () -> causeOf(running));
    assertThat(replica.snapshot().timestamp()).isEqualTo(other);
    Workload.check(replica.snapshot());
  }

  @Test
  void aRepeatedCargoCommitsOnce() throws Exception {
    ChangeCargo cargo = large(replica.snapshot(), 1);
    Waiting.Running<Long> first = sendingLarge(cargo);
    Waiting.Running<Long> second = sendingLarge(cargo);

    objects.mend();

    assertThat(first.get()).isEqualTo(second.get());
    Workload.check(replica.snapshot());
  }

  @Test
  void aLargeCargoDoesNotConflictWithItsOwnRepeat() throws Exception {
    ChangeCargo cargo = large(replica.snapshot(), 1);
    Waiting.Running<Long> first = sendingLarge(cargo);
    long repeated = sending(cargo, Acknowledgement.APPLIED).get();

    objects.mend();

    assertThat(first.get()).isEqualTo(repeated);
    Workload.check(replica.snapshot());
  }

  @Test
  void theEndOfTheTermEndsLargeCargoes() throws Exception {
    StoreSnapshot on = replica.snapshot();
    List<Waiting.Running<Long>> running =
        List.of(sendingLarge(large(on, 1)), sendingLarge(large(on, 2)));

    pipeline.close(0, new ShipmentException(Fault.CANCELLED, "the term is over"));
    large.close();

    for (Waiting.Running<Long> each : running) {
      assertFault(Fault.CANCELLED, () -> causeOf(each));
    }
    assertThat(replica.snapshot()).isSameAs(on);
    objects.mend();
  }

  private static void causeOf(Waiting.Running<Long> running) throws Throwable {
    try {
      running.get();
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  @Test
  void aCargoOfManyValuesOrBytesIsLargeUnlessItsAnswerIsDueBeforeItIsStored() {
    ChangeCargo most = CargoBytes.cargoOf(longs(LargeCommits.MIN_VALUES));
    ChangeCargo fewer = CargoBytes.cargoOf(longs(LargeCommits.MIN_VALUES - 1));
    assertThat(isLarge(most, Acknowledgement.STORED)).isTrue();
    assertThat(isLarge(most, Acknowledgement.PUBLISHED)).isTrue();
    assertThat(isLarge(fewer, Acknowledgement.STORED)).isFalse();
    assertThat(isLarge(most, Acknowledgement.APPLIED)).isFalse();
    assertThat(LargeCommits.isLarge(CommitOptions.DEFAULT, fewer, LargeCommits.MIN_BYTES)).isTrue();
  }

  private static ColumnValues longs(int count) {
    return ColumnValues.of(new long[][] {new long[count]});
  }

  private static boolean isLarge(ChangeCargo cargo, Acknowledgement level) {
    return LargeCommits.isLarge(new CommitOptions(level, OnConflict.REJECT), cargo, 100);
  }
}
