package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.HandOver;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.Registration;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node that stands for election. One event thread does all its work.
 *
 * <p>The leader begins a term, unless the primary before has handed over to another candidate. Then
 * the leader goes to the end of the queue, once for each request, so that the other one can lead.
 */
final class ZooKeeperCandidacy {
  private static final Logger LOG = System.getLogger(ZooKeeperCandidacy.class.getName());
  private static final long RETRY_MS = 200;
  private static final long CLOSE_TIMEOUT_S = 10;

  private final NodeTree tree;
  private final NodeInfo node;
  private final CandidacyListener listener;
  private final Latch latch;
  private final ExecutorService events;
  private volatile boolean closed;

  /** The watch of other primaries; null before the start. */
  private volatile @Nullable Registration primaries;

  /** Used only on the event thread. */
  private @Nullable ZooKeeperTerm term;

  /** The highest epoch seen. Used only on the event thread. */
  private long newestEpoch;

  /** The last request to hand over that this node has obeyed. Used only on the event thread. */
  private long followed;

  ZooKeeperCandidacy(NodeTree tree, Latch latch, NodeInfo node, CandidacyListener listener) {
    this.tree = tree;
    this.latch = latch;
    this.node = node;
    this.listener = listener;
    this.events = Executors.newSingleThreadExecutor(new DaemonThreads("candidacy-" + node.name()));
  }

  void start() throws CoordinationException {
    tree.ensure(ZooKeeperCoordination.PRIMARY.path());
    tree.ensure(ZooKeeperCoordination.PUBLISHED.path());
    primaries =
        ZooKeeperCoordination.PRIMARY.watch(
            tree, primary -> DaemonThreads.execute(events, () -> see(primary.epoch())));
    latch.enter(this::follow, this::lost, events);
  }

  /**
   * Begins a new term, if this node leads, after the term of another candidate. A candidate that
   * was paused may have begun that term although it no longer led, and workers then look for it.
   */
  private void see(long epoch) {
    newestEpoch = Math.max(newestEpoch, epoch);
    follow();
  }

  /**
   * Follows the current state of the latch, which may differ from the state that caused the call.
   */
  private void follow() {
    boolean leads = latch.leads() && !closed;
    if (term != null && (!leads || term.isOver() || term.epoch() < newestEpoch)) {
      endTerm();
    }
    if (leads && term == null) {
      takeOver();
    }
  }

  /** Ends the term, also if this node leads again: another node may have had a term meanwhile. */
  private void lost() {
    endTerm();
    follow();
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
    while (latch.leads() && !closed) {
      try {
        if (makesWay()) {
          latch.leave();
          enterAgain();
          return;
        }
        ZooKeeperTerm begun = ZooKeeperTerm.begin(tree, node, listener.newestEpoch());
        term = begun;
        listener.elected(begun);
        return;
      } catch (CoordinationException e) {
        LOG.log(Level.WARNING, "node {0} cannot take over yet: {1}", node.name(), e.getMessage());
        pause();
      }
    }
  }

  /** Whether the last primary has handed over to another candidate. */
  private boolean makesWay() throws CoordinationException {
    HandOver request = ZooKeeperCoordination.HAND_OVER.latest(tree).orElse(null);
    if (request == null || request.change() <= followed || request.to().equals(node.name())) {
      return false;
    }
    long before = ZooKeeperCoordination.PRIMARY.latest(tree).map(PrimaryInfo::epoch).orElse(0L);
    if (request.epoch() != before || !latch.candidates().contains(request.to())) {
      return false;
    }
    followed = request.change();
    return true;
  }

  private void enterAgain() {
    while (!closed) {
      try {
        latch.enter(this::follow, this::lost, events);
        return;
      } catch (CoordinationException e) {
        LOG.log(Level.WARNING, "node {0} cannot stand again yet: {1}", node.name(), e.getMessage());
        latch.leave();
        pause();
      }
    }
  }

  private static void pause() {
    Waits.orInterrupted(() -> TimeUnit.MILLISECONDS.sleep(RETRY_MS));
  }

  /** Ends the candidacy and its term. Idempotent. */
  void close() {
    closed = true;
    Registration watching = primaries;
    if (watching != null) {
      watching.close();
    }
    latch.close();
    if (!events.isShutdown()) {
      events.execute(this::endTerm);
      events.shutdown();
    }
    Waits.orInterrupted(
        () -> {
          if (!events.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
            events.shutdownNow();
          }
        });
  }
}
