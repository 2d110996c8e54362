package io.drayage.replica;

import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeProgress;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import java.time.Duration;
import java.util.function.Supplier;

/** Reports a node's progress to the cluster, whenever it has changed. Thread-safe. */
public final class ProgressReports implements AutoCloseable {
  /** Interval of the search for a change that nobody has noted. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Membership membership;
  private final Duration pause;
  private final Supplier<NodeProgress> progress;
  private final Runnable whenTold;

  /** Guarded by this, as is {@code closed}. */
  private boolean changed = true;

  private boolean closed;

  /**
   * Begins to report, on its own thread.
   *
   * @param pause after each report
   * @param progress of the node; must not block
   * @param whenTold called after each report, on the reporting thread
   */
  public ProgressReports(
      Membership membership, Duration pause, Supplier<NodeProgress> progress, Runnable whenTold) {
    this.membership = membership;
    this.pause = pause;
    this.progress = progress;
    this.whenTold = whenTold;
    new DaemonThreads("drayage-progress").newThread(() -> Waits.orInterrupted(this::run)).start();
  }

  /** Notes that the node's progress has changed. */
  public synchronized void note() {
    changed = true;
    notifyAll();
  }

  private void run() throws InterruptedException {
    NodeProgress told = NodeProgress.UNKNOWN;
    while (awaitChange()) {
      NodeProgress next = progress.get();
      if (!next.equals(told)) {
        membership.report(next);
        told = next;
        whenTold.run();
        await(pause, false);
      }
    }
  }

  private synchronized boolean awaitChange() throws InterruptedException {
    await(LOOK, true);
    changed = false;
    return !closed;
  }

  private synchronized void await(Duration longest, boolean untilChanged)
      throws InterruptedException {
    long endNs = System.nanoTime() + longest.toNanos();
    Waits.until(this, endNs, () -> closed || (untilChanged && changed));
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
