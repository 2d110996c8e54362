package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.LogPosition;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.Waits;
import io.drayage.memory.Lease;
import io.drayage.objectstore.FaultyStore;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.receive.ReceivedCargo;
import io.drayage.segment.Manifest;
import io.drayage.snapshot.CargoUpload;
import io.drayage.store.StoreSnapshot;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A transaction that is sent again while its first commit is under way. Each answer has the
 * durability that its worker wants. No answer comes for a commit that is being undone. The test
 * decides when the log and the publication go on.
 */
@Timeout(120)
class RepeatedCommitTest extends PipelineFixture {
  private final CountDownLatch logMayGoOn = new CountDownLatch(1);
  private final CountDownLatch mayPublish = new CountDownLatch(1);
  private final FaultyStore objects = new FaultyStore(new MemoryObjects("memory:"));
  private volatile boolean taken;
  private Queue queue;

  @BeforeEach
  void start() throws Exception {
    takeOver(
        objects,
        new SlowTerm(),
        stored -> {
          queue = new Queue(stored);
          return queue;
        });
    taken = true;
    pipeline.start();
  }

  @AfterEach
  void goOn() {
    logMayGoOn.countDown();
    mayPublish.countDown();
  }

  /** Lets the test run in between, without the monitor. */
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  private final class Queue extends PendingCommits {
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile @Nullable Runnable whenLookedUp;
    private volatile @Nullable Runnable whenAdded;
    private volatile boolean overtaken;

    Queue(StoreSnapshot stored) {
      super(stored);
    }

    @Override
    @Nullable PendingCommit awaitNext() {
      Waits.orInterrupted(logMayGoOn::await);
      return super.awaitNext();
    }

    @Override
    @Nullable PendingCommit find(UUID transactionId) {
      Runnable hook = whenLookedUp;
      if (hook != null) {
        whenLookedUp = null;
        hook.run();
      }
      return super.find(transactionId);
    }

    @Override
    void add(PendingCommit commit) {
      super.add(commit);
      Runnable hook = whenAdded;
      if (hook != null) {
        hook.run();
      }
    }

    @Override
    @Nullable List<PendingCommit> end(ShipmentException cause) {
      List<PendingCommit> removed = super.end(cause);
      if (overtaken) {
        // Nothing is pending, and memory is not reverted yet.
        Waits.orInterrupted(answered::await);
      }
      return removed;
    }
  }

  /** Publishes when the test lets it. */
  private final class SlowTerm extends TestTerm {
    SlowTerm() {
      super(1);
    }

    @Override
    public void publish(LogPosition position) {
      if (taken) {
        Waits.orInterrupted(mayPublish::await);
      }
    }
  }

  private ChangeCargo next() {
    return Workload.next(replica.snapshot(), 1, 1).toCargo();
  }

  private CompletableFuture<Long> commit(ChangeCargo cargo, Acknowledgement level)
      throws Exception {
    ShipmentHeader raw = CargoBytes.headerOf(cargo);
    ShipmentHeader header =
        new ShipmentHeader(
            raw.transactionId(),
            raw.baseSnapshot(),
            raw.pipeline(),
            raw.serializerId(),
            raw.compressorId(),
            new CommitOptions(level, OnConflict.REJECT),
            raw.worker());
    CargoUpload recording = recorder.begin(header, cause -> {});
    List<ByteBuffer> frames = CargoBytes.framesOf(cargo);
    frames.subList(0, frames.size() - 1).forEach(f -> recording.keep(new Lease(f, () -> {})));
    recording.seal(WireFrames.seal(frames.get(frames.size() - 1)));
    return memory.commit(new ReceivedCargo<>(header, cargo, recording));
  }

  @Test
  void noAnswerIsGivenForACommitThatIsBeingUndone() throws Exception {
    ChangeCargo cargo = next();
    CompletableFuture<Long> first = commit(cargo, Acknowledgement.STORED);
    queue.whenLookedUp =
        () -> {
          queue.overtaken = true;
          Thread ending = Waiting.start(this::end).thread();
          Waiting.await(() -> queue.isOver() || ending.getState() == Thread.State.BLOCKED);
          queue.overtaken = queue.isOver();
          if (!queue.overtaken) {
            queue.answered.countDown();
          }
        };
    try {
      CompletableFuture<Long> second = commit(cargo, Acknowledgement.STORED);
      queue.answered.countDown();
      assertCancelled(second);
    } finally {
      queue.answered.countDown();
    }
    assertCancelled(first);
    assertThat(replica.timestampOf(cargo.transactionId())).isEmpty();
  }

  private boolean end() {
    pipeline.close(0, new ShipmentException(Fault.CANCELLED, "the term is over"));
    return true;
  }

  private static void assertCancelled(CompletableFuture<Long> answer) {
    assertFault(
        Fault.CANCELLED,
        () -> {
          try {
            answer.join();
          } catch (CompletionException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void eachAnswerIsAsDurableAsItsWorkerWantsIt() throws Exception {
    ChangeCargo cargo = next();
    CompletableFuture<Long> published = commit(cargo, Acknowledgement.PUBLISHED);
    CompletableFuture<Long> stored = commit(cargo, Acknowledgement.STORED);
    CompletableFuture<Long> applied = commit(cargo, Acknowledgement.APPLIED);
    assertThat(applied).isCompleted();
    assertThat(stored).isNotDone();
    assertThat(published).isNotDone();

    logMayGoOn.countDown();
    long timestamp = stored.get();
    assertThat(published).isNotDone();
    CompletableFuture<Long> later = commit(cargo, Acknowledgement.PUBLISHED);
    assertThat(later).as("stored, and not published yet").isNotDone();
    assertThat(commit(cargo, Acknowledgement.STORED)).isCompletedWithValue(timestamp);

    mayPublish.countDown();
    assertThat(List.of(published.get(), later.get(), applied.get())).containsOnly(timestamp);
    assertThat(commit(cargo, Acknowledgement.PUBLISHED)).isCompletedWithValue(timestamp);
    assertThat(lost).isEmpty();
  }

  @Test
  void aCommitThatARepeatedOneWasToldOfIsNotUndoneInSilence() throws Exception {
    ChangeCargo cargo = next();
    CompletableFuture<Long> first = commit(cargo, Acknowledgement.PUBLISHED);
    assertThat(commit(cargo, Acknowledgement.APPLIED)).isCompleted();
    objects.make(FaultyStore.Trouble.ENTRY);

    logMayGoOn.countDown();

    assertCancelled(first);
    Waiting.await(() -> !lost.isEmpty());
    assertThat(lost.get(0)).contains("acknowledged as applied could not be stored");
  }

  @Test
  void aManifestIsRefusedWithoutWaitingForACommit() throws Exception {
    Manifest tooLarge = inserting(new UUID(7, 7), DATABASE_BYTES / Long.BYTES);
    List<Throwable> refused = new CopyOnWriteArrayList<>();
    queue.whenAdded =
        () -> {
          var unused =
              Waiting.start(
                  () -> {
                    try {
                      memory.requireRoom(tooLarge);
                    } catch (ShipmentException e) {
                      refused.add(e);
                    }
                    return true;
                  });
          Waiting.await(() -> !refused.isEmpty());
        };
    CompletableFuture<Long> unused = commit(next(), Acknowledgement.APPLIED);
    assertThat(refused).singleElement().isInstanceOf(ShipmentException.class);
  }
}
