package io.drayage.admin;

import io.drayage.coordination.Coordination;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.NewestFull;
import io.drayage.snapshot.SnapshotCatalog;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Every few seconds, asks the object store for its snapshots and ZooKeeper for the published
 * snapshot. Remembers the last answer of each. Thread-safe.
 */
final class Reachability implements AutoCloseable {
  private static final int PERIOD_S = 5;

  /** A node without an answer for so long is not ready: three failed questions, one hangs. */
  static final int PATIENCE_S = 4 * PERIOD_S;

  private final ScheduledExecutorService thread =
      Executors.newScheduledThreadPool(2, new DaemonThreads("drayage-reachability"));
  private final Probe store = new Probe();
  private final Probe zookeeper = new Probe();
  private volatile @Nullable NewestFull newestFull;

  Reachability(ObjectStore objects, Coordination coordination) {
    ask(store, () -> requireSnapshots(objects));
    ask(zookeeper, coordination::published);
  }

  private NewestFull requireSnapshots(ObjectStore objects) throws IOException {
    NewestFull found =
        new SnapshotCatalog(objects)
            .newestFull()
            .orElseThrow(() -> new IOException(objects.name() + " holds no snapshot"));
    newestFull = found;
    return found;
  }

  /** The newest full snapshot in the store's last answer; null before the first answer. */
  @Nullable NewestFull newestFull() {
    return newestFull;
  }

  private void ask(Probe probe, Callable<?> question) {
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(() -> probe.run(question), 0, PERIOD_S, TimeUnit.SECONDS);
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
  }

  private static final class Probe {
    private volatile Answer answer = new Answer(null, "not asked yet");

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
