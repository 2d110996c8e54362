package io.drayage.transactor;

import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeProgress;
import io.drayage.internal.DaemonThreads;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tells the cluster how far a node is, a few times a second at most. Thread-safe. */
final class ProgressReports implements AutoCloseable {
  private static final long PAUSE_MS = 200;

  private final Membership membership;
  private final Supplier<NodeProgress> progress;
  private final Runnable whenTold;

  /** Guarded by this, as is {@code closed}. */
  private boolean changed = true;

  private boolean closed;

  /**
   * @param progress of the node; must not block
   * @param whenTold called after each report, on the thread that makes them
   */
  ProgressReports(Membership membership, Supplier<NodeProgress> progress, Runnable whenTold) {
    this.membership = membership;
    this.progress = progress;
    this.whenTold = whenTold;
    new DaemonThreads("drayage-progress").newThread(this::run).start();
  }

  /** The node's progress has changed. */
  synchronized void note() {
    changed = true;
    notifyAll();
  }

  private void run() {
    try {
      NodeProgress told = NodeProgress.UNKNOWN;
      while (awaitChange()) {
        NodeProgress next = progress.get();
        if (!next.equals(told)) {
          membership.report(next);
          told = next;
          whenTold.run();
          pause();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean awaitChange() throws InterruptedException {
    while (!changed && !closed) {
      wait();
    }
    changed = false;
    return !closed;
  }

  private synchronized void pause() throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MS);
    long leftNs = endNs - System.nanoTime();
    while (!closed && leftNs > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, leftNs);
      leftNs = endNs - System.nanoTime();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
