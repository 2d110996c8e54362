package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.HandOver;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.Registration;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.frame.StoreShare;
import io.drayage.internal.Waits;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.receive.ReceiverLimits;
import io.drayage.replica.LogFollower;
import io.drayage.replica.Replica;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.MemoryStore;
import io.drayage.testing.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The candidacies and terms of one node without competitors. */
class PrimaryRoleTest {
  private static final NodeInfo NODE = new NodeInfo("t1", "127.0.0.1:1");

  @TempDir private Path folder;

  private final Candidacies coordination = new Candidacies();

  /** Callbacks that lose a term, in the order in which the terms began. */
  private final BlockingQueue<Consumer<String>> losers = new LinkedBlockingQueue<>();

  private ObjectStore objects;
  private SnapshotMaintenance maintenance;
  private Replica replica;
  private LogFollower follower;

  /** Found during the next takeover. */
  private final AtomicBoolean seesAnotherHistory = new AtomicBoolean();

  private PrimaryRole role;

  @BeforeEach
  void stand() throws Exception {
    objects = ObjectStores.open("fs:" + folder);
    maintenance = new SnapshotMaintenance(new SnapshotCatalog(objects));
    maintenance.makeDatabase(new MemoryStore().snapshot());
    replica = Replica.open(objects, 1, 1 << 20, 1 << 20, ReceiverLimits.DATA_ONLY);
    follower = new LogFollower(replica, "cluster", "follow");
    DrayageMetrics metrics = new DrayageMetrics();
    TermAcceptor shipments =
        new TermAcceptor(
            replica::timestampOf,
            replica.database(),
            replica::checksum,
            () -> {},
            metrics,
            new NodeEvents());
    PrimaryRole.NewTerm newTerm =
        (done, whenLost) -> {
          losers.add(whenLost);
          if (seesAnotherHistory.getAndSet(false)) {
            throw new ForeignDatabaseException("what was published is no longer there");
          }
          return new PrimaryTerm(
              done,
              TestCluster.options("t1"),
              replica,
              maintenance,
              shipments,
              new WatchedStore(objects, System::nanoTime, new NodeEvents()),
              commit -> {},
              ended -> {},
              metrics,
              new LongAdder(),
              header -> StoreShare.UNKNOWN,
              whenLost);
        };
    coordination.join(new NodeInfo("t2", "127.0.0.1:2")).report(new NodeProgress(100, 0));
    role = new PrimaryRole(coordination, NODE, replica, follower, newTerm, 0, new NodeEvents());
    role.start();
  }

  @AfterEach
  void stop() {
    coordination.mayClose.countDown();
    role.close();
    follower.close();
    replica.close();
    maintenance.close();
    coordination.close();
    objects.close();
  }

  private void awaitPrimary(long epoch) {
    Waiting.await(
        () -> {
          PrimaryTerm term = role.term();
          return term != null && term.epoch() == epoch;
        });
  }

  @Test
  void standsOnceWhenATermIsLostTwice() throws Exception {
    awaitPrimary(1);
    Consumer<String> loser = losers.take();
    loser.accept("the log says so");
    loser.accept("the publisher says so");
    coordination.closing.await();

    assertThat(role.term()).isNull(); // Does not wait for the term to close.
    coordination.mayClose.countDown();
    awaitPrimary(2);
    assertThat(coordination.mostOpen).hasValue(1);
    assertThat(coordination.open).hasValue(1);
  }

  /** Others have published since its term began, and may have replaced what it missed. */
  @Test
  void standsAgainIfWhatItTookForAnotherHistoryIsOld() throws Exception {
    coordination.mayClose.countDown();
    awaitPrimary(1);
    seesAnotherHistory.set(true);
    losers.take().accept("the log says so");

    awaitPrimary(3);
    assertThat(coordination.mostOpen).hasValue(1);
  }

  @Test
  void standsOnceWhenATermIsLostWhileItIsHandedOver() throws Exception {
    awaitPrimary(1);
    role.handOver(new HandOver(1, 1, "t2"));
    losers.take().accept("the log says so");
    coordination.closing.await();
    coordination.mayClose.countDown();

    awaitPrimary(2);
    assertThat(coordination.mostOpen).hasValue(1);
    assertThat(coordination.stood).hasValue(2);
  }

  @Test
  void aLateReasonDoesNotEndTheNextTerm() throws Exception {
    coordination.mayClose.countDown();
    awaitPrimary(1);
    Consumer<String> first = losers.take();
    first.accept("the log says so");
    awaitPrimary(2);
    Consumer<String> second = losers.take();

    first.accept("the publisher says so, late");
    role.handOver(new HandOver(1, 1, "t2"));
    second.accept("now it is over"); // Any effect of the late ones has happened by then.
    awaitPrimary(3);

    assertThat(coordination.stood).hasValue(3);
  }

  /** After a node of another ZooKeeper, or because this ZooKeeper has lost its data. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 7})
  void appendsNothingBehindAnEpochThatIsNotLower(long higher) throws Exception {
    coordination.mayClose.countDown();
    awaitPrimary(1);
    SnapshotEntry newest = replica.newest();
    SnapshotEntry entry =
        replica
            .catalog()
            .append(
                SnapshotManifest.entry(
                    new SnapshotKind.Takeover(coordination.cluster().orElseThrow()),
                    newest.position(),
                    higher,
                    Instant.EPOCH));
    losers.take().accept("the log has an entry of another");
    awaitPrimary(Math.max(higher, 2) + (higher > 1 ? 1 : 0));

    assertThat(replica.catalog().after(entry))
        .extracting(own -> own.manifest().epoch())
        .containsExactly(role.term().epoch());
    assertThat(coordination.mostOpen).hasValue(1);
  }

  @Test
  void resignsWhileTheFormerCandidacyIsClosed() throws Exception {
    awaitPrimary(1);
    losers.take().accept("the log says so");
    coordination.closing.await();
    Waiting.Running<Void> resigning =
        Waiting.startAndAwaitParked(
            () -> {
              role.close();
              return null;
            });
    coordination.mayClose.countDown();
    resigning.get();

    assertThat(coordination.open).hasValue(0);
    assertThat(coordination.stood).hasValue(1);
    assertThat(role.term()).isNull();
  }

  /** Counts the candidacies. Each needs time to end. */
  private static final class Candidacies extends InMemoryCoordination {
    final CountDownLatch closing = new CountDownLatch(1);
    final CountDownLatch mayClose = new CountDownLatch(1);
    final AtomicInteger stood = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger mostOpen = new AtomicInteger();

    Candidacies() {
      super(new InMemoryCluster());
    }

    @Override
    public Registration stand(NodeInfo node, CandidacyListener listener) {
      stood.incrementAndGet();
      mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
      Registration standing = super.stand(node, listener);
      AtomicBoolean closed = new AtomicBoolean();
      return () -> {
        closing.countDown();
        Waits.orInterrupted(mayClose::await);
        standing.close();
        if (closed.compareAndSet(false, true)) {
          open.decrementAndGet();
        }
      };
    }
  }

  /** A node that was paused before it made the database finds the first snapshot's place free. */
  @Test
  void aDatabaseThatIsMadeTooLateGoesAgain() throws Exception {
    // Another store than that of the role, which writes to its own.
    Path apart = Files.createDirectory(folder.resolve("apart"));
    try (ObjectStore store = ObjectStores.open("fs:" + apart);
        SnapshotMaintenance late = new SnapshotMaintenance(new SnapshotCatalog(store))) {
      late.makeDatabase(new MemoryStore().snapshot());
      SnapshotCatalog catalog = new SnapshotCatalog(store);
      SnapshotEntry first = catalog.full(0);
      SnapshotEntry unused =
          catalog.append(
              SnapshotManifest.entry(
                  new SnapshotKind.Takeover(new UUID(3, 3)), first.position(), 1, Instant.now()));
      assertThat(catalog.delete(List.of(first))).isPositive();

      late.makeDatabase(new MemoryStore().snapshot());

      assertThat(catalog.fullTimestamps()).isEmpty();
      assertThat(catalog.entry(1).manifest().database()).isEqualTo(first.manifest().database());
    }
  }
}
