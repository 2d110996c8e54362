package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.StoredObject;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.StoreFiller;
import io.drayage.store.StoreSnapshot;
import io.drayage.testing.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests commits that wait while the entry of another one is being stored. */
@Timeout(60)
class GroupCommitTest extends PipelineFixture {
  private static final int TOGETHER = 12;

  @TempDir private Path folder;
  private GatedStore objects;
  private PendingCommits pending;
  private CargoSender sender;

  /** A store that puts entries of the log, and completes data, only when it is allowed. */
  private static final class GatedStore extends ForwardingStore {
    final Semaphore entries = new Semaphore(1_000);
    final Semaphore data = new Semaphore(1_000);
    volatile boolean fails;

    GatedStore(ObjectStore store) {
      super(store);
    }

    @Override
    public void put(String key, ByteBuffer content) throws IOException {
      if (key.startsWith(SnapshotKeys.MANIFESTS)) {
        entries.acquireUninterruptibly();
        if (fails) {
          throw new ObjectStoreException(name(), key, "as asked for");
        }
      }
      super.put(key, content);
    }

    @Override
    public ObjectUpload begin(String key) throws IOException {
      data.acquireUninterruptibly();
      return super.begin(key);
    }
  }

  @BeforeEach
  void start() throws Exception {
    objects = open(new GatedStore(FolderStore.open(folder)));
    takeOver(
        objects,
        new TestTerm(1),
        stored -> {
          pending = new PendingCommits(stored);
          return pending;
        });
    sender = startPipeline();
    objects.entries.drainPermits();
  }

  @Override
  void stored(SnapshotEntry entry) {
    replica.follow(entry);
  }

  private Waiting.Running<Long> sending(ChangeCargo cargo) {
    return Waiting.start(
        () ->
            sender
                .send(cargo, new CommitOptions(Acknowledgement.PUBLISHED, OnConflict.REJECT))
                .snapshotTimestamp());
  }

  private List<ChangeCargo> cargoes(StoreSnapshot on, int first, int last) {
    List<ChangeCargo> cargoes = new ArrayList<>();
    for (int worker = first; worker <= last; worker++) {
      cargoes.add(Workload.next(on, worker, 1).toCargo());
    }
    return cargoes;
  }

  /** Begins a commit whose entry is being stored, and others that wait for it. */
  private List<Waiting.Running<Long>> begin(List<ChangeCargo> cargoes) {
    List<Waiting.Running<Long>> running = new ArrayList<>();
    for (ChangeCargo cargo : cargoes) {
      running.add(sending(cargo));
      if (running.size() == 1) {
        Waiting.await(() -> objects.entries.hasQueuedThreads());
      }
    }
    Waiting.await(() -> pending.unstoredCount() == cargoes.size());
    return running;
  }

  private List<String> keys(String prefix) throws IOException {
    return objects.list(prefix).stream().map(StoredObject::key).toList();
  }

  @Test
  void whatWaitsIsStoredTogetherAndAnsweredOneByOne() throws Exception {
    SnapshotCatalog catalog = replica.catalog();
    long before = replica.snapshot().timestamp();
    int objectsBefore = keys("").size();
    List<Waiting.Running<Long>> running = begin(cargoes(replica.snapshot(), 1, 1 + TOGETHER));

    objects.entries.release(2);

    List<Long> timestamps = new ArrayList<>();
    for (Waiting.Running<Long> each : running) {
      timestamps.add(each.get());
    }
    assertThat(timestamps).doesNotHaveDuplicates().allMatch(each -> each > before);
    assertThat(keys("")).hasSize(objectsBefore + 2);
    assertThat(catalog.entry(before + 1).endsObject()).isTrue();
    assertThat(catalog.entry(before + 2).last()).isEqualTo(before + 1 + TOGETHER);
    StoreFiller.assertIntact(catalog);
    try (Replica copy = Replica.open(objects, 2, 1 << 28, 0, TestCluster.LIMITS.codecs())) {
      assertThat(copy.advance(Long.MAX_VALUE)).isEqualTo(before + 1 + TOGETHER);
      Workload.check(copy.snapshot());
      assertThat(copy.position()).isEqualTo(replica.position());
    }
  }

  @Test
  void ifTheirObjectCannotBeStoredAllOfThemFailAndNoOther() throws Exception {
    StoreSnapshot on = replica.snapshot();
    List<ChangeCargo> cargoes = cargoes(on, 1, 1 + TOGETHER);
    List<Waiting.Running<Long>> running = begin(cargoes);

    objects.entries.release(1);
    long first = running.get(0).get();
    Waiting.await(() -> objects.entries.hasQueuedThreads());
    objects.fails = true;
    objects.entries.release(1);
    for (Waiting.Running<Long> each : running.subList(1, running.size())) {
      assertThatThrownBy(each::get)
          .cause()
          .hasMessageContaining("cannot be stored")
          .hasMessageContaining("as asked for")
          .isInstanceOfSatisfying(
              ShipmentException.class,
              failure -> {
                assertThat(failure.fault()).isEqualTo(Fault.REFUSED);
                assertThat(failure.outcome()).isEqualTo(ShipmentException.Outcome.UNKNOWN);
              });
    }
    assertThat(replica.snapshot().timestamp()).isEqualTo(first);
    assertThat(lost).isEmpty();

    objects.fails = false;
    objects.entries.release(1_000);
    for (ChangeCargo cargo : cargoes) {
      assertThat(sending(cargo).get()).isGreaterThanOrEqualTo(first);
    }
    assertThat(replica.snapshot().timestamp()).isEqualTo(first + TOGETHER);
    Workload.check(replica.snapshot());
    StoreFiller.assertIntact(replica.catalog());
  }

  /** Entries keep the order in which commits were applied. */
  @Test
  void dataThatIsBeingStoredHoldsBackOnlyLaterCommits() throws Exception {
    long before = replica.snapshot().timestamp();
    StoreSnapshot on = replica.snapshot();
    List<ChangeCargo> cargoes = cargoes(on, 1, 3);
    cargoes.add(Workload.nextLarge(on, 4, 1).toCargo());
    cargoes.addAll(cargoes(on, 5, 6));
    objects.data.drainPermits();
    List<Waiting.Running<Long>> running = new ArrayList<>();
    for (ChangeCargo cargo : cargoes) {
      running.add(sending(cargo));
      Waiting.await(() -> pending.unstoredCount() == running.size());
    }
    objects.entries.release(1_000);
    for (int i = 0; i < 3; i++) {
      assertThat(running.get(i).get()).isEqualTo(before + 1 + i);
    }
    assertThat(pending.unstoredCount()).isEqualTo(3);
    objects.data.release(1);
    for (int i = 3; i < 6; i++) {
      assertThat(running.get(i).get()).isEqualTo(before + 1 + i);
    }
    assertThat(keys(SnapshotKeys.DATA)).filteredOn(key -> !key.contains("-rows-")).hasSize(2);
    StoreFiller.assertIntact(replica.catalog());
  }

  /** The next primary appends there. */
  @Test
  void aTermThatEndsDuringAnUploadAppendsNothing() throws Exception {
    long next = replica.snapshot().timestamp() + 1;
    objects.entries.release(1_000);
    objects.data.drainPermits();
    Waiting.Running<Long> running = sending(Workload.nextLarge(replica.snapshot(), 4, 1).toCargo());
    Waiting.await(() -> pending.unstoredCount() == 1 && objects.data.hasQueuedThreads());
    pipeline.close(0, new ShipmentException(Fault.CANCELLED, "the session is lost"));
    objects.data.release(1);

    assertThatThrownBy(running::get).cause().hasMessageContaining("the session is lost");
    pipeline.awaitLogThread(10_000);
    assertThat(objects.contains(SnapshotKeys.Place.entry(next).key())).isFalse();
    StoreFiller.assertIntact(replica.catalog());
  }
}
