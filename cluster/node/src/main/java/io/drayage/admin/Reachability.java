package io.drayage.admin;

import io.drayage.coordination.Coordination;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoreSpace;
import io.drayage.snapshot.NewestFull;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.transactor.NodeEvents;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Every few seconds, asks the object store for its snapshots and ZooKeeper for the state of the
 * cluster. Remembers the last answer of each. While somebody looks at the cluster, ZooKeeper is
 * asked every second. Thread-safe.
 */
final class Reachability implements AutoCloseable {
  private static final int PERIOD_S = 5;
  private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(PERIOD_S);

  /** A node without an answer for so long is not ready: three failed questions, one hangs. */
  static final int PATIENCE_S = 4 * PERIOD_S;

  private static final String NOT_ASKED = "not asked yet";

  private final ScheduledExecutorService thread =
      Executors.newScheduledThreadPool(2, new DaemonThreads("drayage-reachability"));
  private final Probe store = new Probe();
  private final Probe zookeeper = new Probe();
  private final ClusterWatch cluster;
  private volatile @Nullable NewestFull newestFull;
  private volatile @Nullable StoreSpace space;
  private volatile long lookedNs = System.nanoTime();

  /**
   * @param own the name of this node
   * @param events gets the changes of the cluster
   */
  Reachability(ObjectStore objects, Coordination coordination, String own, NodeEvents events) {
    cluster = new ClusterWatch(coordination, own, events);
    repeat(PERIOD_S, () -> store.run(() -> requireSnapshots(objects)));
    repeat(1, new Turns()::next);
  }

  private NewestFull requireSnapshots(ObjectStore objects) throws IOException {
    NewestFull found =
        new SnapshotCatalog(objects)
            .newestFull()
            .orElseThrow(() -> new IOException(objects.name() + " holds no snapshot"));
    newestFull = found;
    space = objects.space().orElse(null);
    return found;
  }

  /** The space of the store in its last answer; null if it is not known. */
  @Nullable StoreSpace space() {
    return space;
  }

  /** The cluster in ZooKeeper's last answer; null before the first. Asks more often from now on. */
  ClusterWatch.@Nullable View cluster() {
    lookedNs = System.nanoTime();
    return cluster.view();
  }

  /** The newest full snapshot in the store's last answer; null before the first answer. */
  @Nullable NewestFull newestFull() {
    return newestFull;
  }

  private void repeat(int seconds, Runnable question) {
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(question, 0, seconds, TimeUnit.SECONDS);
  }

  /** The turns to ask ZooKeeper: every second for somebody who looks, else every few seconds. */
  private final class Turns {
    private long askedNs = System.nanoTime() - PERIOD_NS;

    private void next() {
      long nowNs = System.nanoTime();
      if (nowNs - lookedNs < PERIOD_NS || nowNs - askedNs >= PERIOD_NS) {
        askedNs = nowNs;
        zookeeper.run(cluster::look);
      }
    }
  }

  Answer store() {
    return store.answer;
  }

  Answer zookeeper() {
    return zookeeper.answer;
  }

  /**
   * The result of the questions.
   *
   * @param lastSuccess time of the last answer; null before the first
   * @param failure of the last question; null if it was answered
   */
  record Answer(@Nullable Instant lastSuccess, @Nullable String failure) {
    boolean isRecent(Instant now) {
      Instant last = lastSuccess;
      return last != null && last.plusSeconds(PATIENCE_S).isAfter(now);
    }

    /** The reason of a silence that is too long; null if there is none. */
    @Nullable String silence(Instant now) {
      if (isRecent(now) || NOT_ASKED.equals(failure)) {
        return null;
      }
      return failure == null ? "it hangs" : failure;
    }
  }

  private static final class Probe {
    private volatile Answer answer = new Answer(null, NOT_ASKED);

    private void run(Callable<?> question) {
      try {
        Object unused = question.call();
        answer = new Answer(Instant.now(), null);
      } catch (Throwable e) {
        // An exception would end the schedule.
        FatalErrors.report(e);
        answer = new Answer(answer.lastSuccess(), String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
