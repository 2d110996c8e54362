package io.drayage.transactor;

import io.drayage.codec.pool.DaemonThreads;
import io.drayage.codec.pool.FatalErrors;
import io.drayage.snapshot.CrashPoint;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a {@link Replica} at the published timestamp, on its own thread. An entry that cannot be
 * loaded is retried, never skipped: the replica stays at the entry before, and {@link #failure} has
 * the reason. Thread-safe.
 */
public final class LogFollower implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LogFollower.class.getName());
  private static final long RETRY_NS = 200_000_000;

  private final Replica replica;
  private final List<Consumer<StoreSnapshot>> listeners = new CopyOnWriteArrayList<>();
  private final Thread thread;

  /** Guarded by this, as all that follows. */
  private long published;

  private boolean paused;
  private boolean advancing;
  private boolean closed;
  private @Nullable IOException failure;

  /** Starts to follow. */
  public LogFollower(Replica replica, String threadName) {
    this.replica = replica;
    this.published = replica.snapshot().timestamp();
    this.thread = new DaemonThreads(threadName).newThread(this::run);
    thread.start();
  }

  /** Called after each advance, on the loading thread: must not block. */
  public void addListener(Consumer<StoreSnapshot> listener) {
    listeners.add(listener);
  }

  /** Notes a published timestamp. */
  public synchronized void publish(long timestamp) {
    if (timestamp > published) {
      published = timestamp;
      notifyAll();
    }
  }

  /**
   * Pauses, and waits until an advance that is in progress is complete: nothing else may change the
   * replica during a term.
   */
  synchronized void pause() throws InterruptedException {
    paused = true;
    while (advancing) {
      wait();
    }
  }

  synchronized void resume() {
    paused = false;
    notifyAll();
  }

  /** The newest published timestamp that was noted. */
  public synchronized long published() {
    return published;
  }

  /** Why the replica cannot advance; null if it can. */
  public synchronized @Nullable IOException failure() {
    return failure;
  }

  /**
   * Waits until the log entry of a timestamp is published, or the log was closed to the epoch that
   * was to append it.
   *
   * @return false if the deadline passed first
   */
  public boolean awaitPublished(long timestamp, long epoch, long deadlineNs)
      throws InterruptedException {
    return await(() -> published >= timestamp || replica.epoch() > epoch, deadlineNs);
  }

  /**
   * Waits until the replica has reached a timestamp.
   *
   * @return false if the deadline passed first
   */
  public boolean awaitLoaded(long timestamp, long deadlineNs) throws InterruptedException {
    return awaitLoaded(timestamp, Long.MAX_VALUE, deadlineNs);
  }

  /** As {@link #awaitLoaded(long, long)}; also ends as {@link #awaitPublished}. */
  public boolean awaitLoaded(long timestamp, long epoch, long deadlineNs)
      throws InterruptedException {
    return await(
        () -> replica.snapshot().timestamp() >= timestamp || replica.epoch() > epoch, deadlineNs);
  }

  /** Also ends when this is closed. */
  private synchronized boolean await(BooleanSupplier condition, long deadlineNs)
      throws InterruptedException {
    long leftNs = deadlineNs - System.nanoTime();
    while (!condition.getAsBoolean() && !closed && leftNs > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, leftNs);
      leftNs = deadlineNs - System.nanoTime();
    }
    return condition.getAsBoolean();
  }

  private void run() {
    try {
      while (true) {
        long target = nextTarget();
        if (target < 0) {
          return;
        }
        CrashPoint.SEEN.reach();
        advance(target);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized long nextTarget() throws InterruptedException {
    while (!closed && (paused || published <= replica.snapshot().timestamp())) {
      wait();
    }
    advancing = !closed;
    return closed ? -1 : published;
  }

  private void advance(long target) throws InterruptedException {
    IOException problem = null;
    try {
      long reached = replica.advance(target);
      if (reached < target) {
        problem =
            new IOException(
                String.format(
                    Locale.ROOT,
                    "snapshot %d is published, but the log ends at %d",
                    target,
                    reached));
      }
    } catch (IOException | RuntimeException | Error e) {
      // Reported, not skipped.
      FatalErrors.report(e);
      problem = e instanceof IOException io ? io : new IOException("loading failed: " + e, e);
    }
    boolean isNew;
    synchronized (this) {
      // Closing interrupts the load.
      isNew = problem != null && failure == null && !closed;
      failure = problem;
      advancing = false;
      notifyAll();
    }
    listeners.forEach(this::tell);
    if (isNew) {
      LOG.log(
          Level.WARNING,
          "stays at snapshot {0} and tries again: {1}",
          Long.toString(replica.snapshot().timestamp()),
          problem.getMessage());
    }
    if (problem != null) {
      boolean unused = await(() -> false, System.nanoTime() + RETRY_NS);
    }
  }

  /** A failing listener must not stop the replica. */
  private void tell(Consumer<StoreSnapshot> listener) {
    try {
      listener.accept(replica.snapshot());
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a listener failed", e);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    thread.interrupt();
  }
}
