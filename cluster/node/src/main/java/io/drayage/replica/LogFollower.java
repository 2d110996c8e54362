package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.Lag;
import io.drayage.database.LogPosition;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.internal.Waits;
import io.drayage.store.StoreSnapshot;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a {@link Replica} at the published timestamp, on its own thread. An entry that cannot be
 * loaded is retried, never skipped. Meanwhile the replica stays at the entry before, and {@link
 * #failure} has the reason. The replica also stays if its log lacks the published entry, and so is
 * another log. Thread-safe.
 */
public final class LogFollower implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LogFollower.class.getName());

  private final Replica replica;
  private final String cluster;
  private final List<Consumer<StoreSnapshot>> listeners = new CopyOnWriteArrayList<>();
  private final LagMeter meter = new LagMeter();
  private final Thread thread;

  /** Guarded by this, as are the following fields. */
  private long published;

  /** The published position, until the replica has reached it. */
  private @Nullable LogPosition target;

  /** The newest noted position. */
  private @Nullable LogPosition noted;

  private boolean paused;
  private boolean advancing;
  private boolean closed;
  private @Nullable IOException failure;

  /**
   * Starts to follow.
   *
   * @param cluster the publisher of the snapshots, for messages
   */
  public LogFollower(Replica replica, String cluster, String threadName) {
    this.replica = replica;
    this.cluster = cluster;
    this.published = replica.snapshot().timestamp();
    this.thread = new DaemonThreads(threadName).newThread(() -> Waits.orInterrupted(this::run));
    thread.start();
  }

  /** Adds a listener, called on the loading thread after each advance. It must not block. */
  public void addListener(Consumer<StoreSnapshot> listener) {
    listeners.add(listener);
  }

  /** Notes a published position. It is compared with this log, even if this log is ahead. */
  public synchronized void publish(LogPosition position) {
    meter.publish(position.timestamp());
    if (noted == null || position.timestamp() > noted.timestamp()) {
      noted = position;
      target = position;
      published = Math.max(published, position.timestamp());
      notifyAll();
    }
  }

  /**
   * Pauses, and waits until a running advance is complete, because only the primary may change the
   * replica during a term.
   */
  public synchronized void pause() throws InterruptedException {
    paused = true;
    while (advancing) {
      wait();
    }
  }

  public synchronized void resume() {
    paused = false;
    notifyAll();
  }

  /** The newest published timestamp that the follower knows. */
  public synchronized long published() {
    return published;
  }

  /** The lag of the replica; null if no published snapshot is known yet. */
  public @Nullable Lag lag() {
    return meter.of(replica.snapshot().timestamp());
  }

  /** The reason why the replica cannot advance; null if it can. */
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

  /** Waits as {@link #awaitLoaded(long, long)}; ends too if the log was closed to the epoch. */
  public boolean awaitLoaded(long timestamp, long epoch, long deadlineNs)
      throws InterruptedException {
    return await(
        () -> replica.snapshot().timestamp() >= timestamp || replica.epoch() > epoch, deadlineNs);
  }

  /** Waits for a condition. Ends early on close, or if the log turns out to be another one. */
  private synchronized boolean await(BooleanSupplier condition, long deadlineNs)
      throws InterruptedException {
    Waits.until(
        this,
        deadlineNs,
        () -> condition.getAsBoolean() || closed || failure instanceof ForeignDatabaseException);
    return condition.getAsBoolean();
  }

  private void run() throws InterruptedException {
    Backoff backoff = Backoff.endless();
    for (LogPosition next = nextTarget(); next != null; next = nextTarget()) {
      if (advance(next)) {
        backoff.startOver();
      } else {
        pause(next, backoff.nextMs());
      }
    }
  }

  private synchronized @Nullable LogPosition nextTarget() throws InterruptedException {
    while (!closed && (paused || target == null)) {
      wait();
    }
    advancing = !closed;
    return closed ? null : target;
  }

  /** Waits for the next attempt, which follows at once if another snapshot is published. */
  private synchronized void pause(LogPosition failed, long pauseMs) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
    Waits.until(this, endNs, () -> closed || !failed.equals(target));
  }

  /** Whether the replica has reached the published snapshot. */
  private boolean advance(LogPosition next) throws InterruptedException {
    IOException problem = null;
    try {
      if (!replica.advance(next, cluster)) {
        problem =
            new IOException(
                format(
                    "snapshot %d is published, but it is not in the log of %s",
                    next.timestamp(), replica.catalog().store().name()));
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
      if (problem == null && next.equals(target)) {
        target = null;
      }
      advancing = false;
      notifyAll();
    }
    Lag unusedLag = lag(); // Forgets the marks of loaded snapshots.
    listeners.forEach(this::tell);
    if (isNew) {
      LOG.log(
          Level.WARNING,
          "stays at snapshot {0} and tries again: {1}",
          Long.toString(replica.snapshot().timestamp()),
          problem.getMessage());
    }
    return problem == null;
  }

  /** Notifies a listener. A failing listener must not stop the replica. */
  private void tell(Consumer<StoreSnapshot> listener) {
    try {
      listener.accept(replica.snapshot());
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "a listener failed", e);
      FatalErrors.report(e);
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
