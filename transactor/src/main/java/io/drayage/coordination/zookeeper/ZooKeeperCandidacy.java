package io.drayage.coordination.zookeeper;

import io.drayage.codec.pool.DaemonThreads;
import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.NodeInfo;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.jspecify.annotations.Nullable;

/** A node that stands for election. All its work is done on one event thread. */
final class ZooKeeperCandidacy {
  private static final Logger LOG = System.getLogger(ZooKeeperCandidacy.class.getName());
  private static final long RETRY_MS = 200;
  private static final long CLOSE_TIMEOUT_S = 10;

  private final CuratorFramework client;
  private final NodeInfo node;
  private final CandidacyListener listener;
  private final LeaderLatch latch;
  private final ExecutorService events;
  private volatile boolean closed;

  /** Used only on the event thread. */
  private @Nullable ZooKeeperTerm term;

  ZooKeeperCandidacy(CuratorFramework client, NodeInfo node, CandidacyListener listener) {
    this.client = client;
    this.node = node;
    this.listener = listener;
    this.latch = new LeaderLatch(client, ZooKeeperCoordination.ELECTION, node.name());
    this.events = Executors.newSingleThreadExecutor(new DaemonThreads("candidacy-" + node.name()));
  }

  void start() throws CoordinationException {
    ZooKeeperCoordination.ensure(client, ZooKeeperCoordination.PRIMARY);
    ZooKeeperCoordination.ensure(client, ZooKeeperCoordination.PUBLISHED);
    latch.addListener(
        new LeaderLatchListener() {
          @Override
          public void isLeader() {
            follow();
          }

          @Override
          public void notLeader() {
            follow();
          }
        },
        events);
    Curator.call(
        "stand for election",
        () -> {
          latch.start();
          return node;
        });
  }

  /**
   * Follows the current state of the latch, which may differ from the state that caused the call.
   */
  private void follow() {
    boolean leads = latch.hasLeadership() && !closed;
    if (term != null && (!leads || term.isOver())) {
      endTerm();
    }
    if (leads && term == null) {
      takeOver();
    }
  }

  private void endTerm() {
    ZooKeeperTerm ended = term;
    term = null;
    if (ended != null) {
      ended.end();
      listener.deposed(ended);
    }
  }

  private void takeOver() {
    while (latch.hasLeadership() && !closed) {
      try {
        ZooKeeperTerm begun = ZooKeeperTerm.begin(client, node, listener.newestEpoch());
        term = begun;
        listener.elected(begun);
        return;
      } catch (CoordinationException e) {
        LOG.log(Level.WARNING, "node {0} cannot take over yet: {1}", node.name(), e.getMessage());
        pause();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void close() {
    closed = true;
    Curator.close(latch);
    events.execute(this::endTerm);
    events.shutdown();
    try {
      if (!events.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
        events.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
