package io.drayage.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.zookeeper.SimSession;
import io.drayage.coordination.zookeeper.SimZooKeeper;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.frame.Fault;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.transactor.TransactorNode;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;

/** Nodes whose store is not the cluster's, and clusters that begin with an old store. */
final class Strangers {
  private static final int PATIENCE_MS = 60_000;

  private final SimulatedCluster world;
  private final SplittableRandom random;
  private int lives;

  Strangers(SimulatedCluster world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  /** Starts a node with another database of the same tables, which is refused with both ids. */
  void joinWithForeignStore() throws InterruptedException {
    Optional<PublishedSnapshot> published = world.zooKeeper.published();
    if (published.isEmpty()) {
      return;
    }
    String ours = published.get().position().database().toString();
    SimStore store = new SimStore(world.scheduler, random.split(), () -> {});
    onHost(
        host -> {
          SimZooKeeper other = new SimZooKeeper();
          begin(host, store, other).close();
          Thread.sleep(SimStore.LISTED_LATE_MS); // Otherwise the store seems to be empty.
          String theirs = other.published().orElseThrow().position().database().toString();
          try (Coordination cluster = connect(world.zooKeeper)) {
            Throwable refused = catchThrowable(() -> open(host, store, cluster).close());
            assertThat(refused)
                .as("%s begins with database %s", host, theirs)
                .isInstanceOf(ForeignDatabaseException.class)
                .hasMessageContainingAll(ours, theirs);
          }
        });
  }

  /** Starts a cluster with a copy of the store. Its epoch is higher than that of its log. */
  void restoreUnderFreshRoot() throws InterruptedException {
    Optional<PublishedSnapshot> published = world.zooKeeper.published();
    if (published.isEmpty()) {
      return;
    }
    SimStore copy = world.store.copy(random.split());
    onHost(
        host -> {
          long before = newestEpoch(copy);
          SimZooKeeper fresh = new SimZooKeeper();
          TransactorNode node = begin(host, copy, fresh);
          long epoch = fresh.published().orElseThrow().epoch();
          assertThat(epoch).as("the epoch of %s", host).isGreaterThan(before);
          assertThat(node.snapshot().timestamp())
              .as("what %s has", host)
              .isGreaterThan(published.get().timestamp());
          long unused = Ledger.check(node.snapshot());
          node.close();
        });
  }

  /** The newest epoch in the log. A term without an entry may have a higher one in ZooKeeper. */
  private static long newestEpoch(SimStore store) throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    long full = Promises.newest(store, "full");
    long commit = Promises.newest(store, "commit");
    SnapshotEntry newest = commit < full ? catalog.full(full) : catalog.entry(commit);
    return newest.manifest().epoch();
  }

  /** Starts a node, and waits until it is primary of its own cluster. */
  private TransactorNode begin(String host, SimStore store, SimZooKeeper zooKeeper)
      throws IOException, InterruptedException {
    TransactorNode node = open(host, store, connect(zooKeeper));
    long endNs = System.nanoTime() + PATIENCE_MS * 1_000_000L;
    while (!node.isPrimary()) {
      assertThat(System.nanoTime()).as("%s is primary in time", host).isLessThan(endNs);
      Thread.sleep(10);
    }
    return node;
  }

  /** Starts a node. A new object may not be listed yet, so that it tries again. */
  private TransactorNode open(String host, SimStore store, Coordination coordination)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return SimNode.Transactor.open(world, host, coordination, store);
      } catch (ForeignDatabaseException e) {
        throw e;
      } catch (IOException e) {
        Thread.sleep(200);
      }
    }
  }

  private Coordination connect(SimZooKeeper zooKeeper) {
    SimSession session = zooKeeper.connect(random.split());
    return SimZooKeeper.coordination(session);
  }

  private interface OnHost {
    void run(String host) throws Exception;
  }

  private void onHost(OnHost task) throws InterruptedException {
    String host = "x." + ++lives;
    boolean[] done = {false};
    world.start(
        host,
        () -> {
          task.run(host);
          done[0] = true;
        });
    while (!done[0] && world.promises.broken() == null) {
      Thread.sleep(10);
    }
    world.scheduler.crash(host);
    world.network.breakAllOf(host, Fault.PEER_GONE);
  }
}
