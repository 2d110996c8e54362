package io.drayage.snapshot;

import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A mark that names the full snapshot which this node is loading. The transactor that cleans the
 * store keeps this snapshot, and the log since then. The mark is an object in the store, and is
 * renewed, so that the mark of a dead node is recognized. No effect on a node that may not write.
 */
public final class LoadingMark implements AutoCloseable {
  /** The age at which a mark counts as abandoned. */
  static final Duration EXPIRY = Duration.ofMinutes(5);

  private static final System.Logger LOG = System.getLogger(LoadingMark.class.getName());
  static final long RENEWAL_NS = EXPIRY.toNanos() / 5;

  private final ObjectStore store;

  // Guarded by this.

  private long timestamp;

  /** The key of the current mark. */
  private @Nullable String key;

  private boolean closed;
  private boolean isRefusalLogged;

  /** Marks the full snapshot of this timestamp, before it is read. */
  public LoadingMark(ObjectStore store, long timestamp) {
    this(store, timestamp, true);
  }

  /**
   * @param renews whether it renews itself, on a thread of its own; otherwise the caller does
   */
  LoadingMark(ObjectStore store, long timestamp, boolean renews) {
    this.store = store;
    this.timestamp = timestamp;
    renew();
    if (renews) {
      new DaemonThreads("drayage-loading").newThread(() -> Waits.orInterrupted(this::run)).start();
    }
  }

  private synchronized void run() throws InterruptedException {
    while (!closed) {
      TimeUnit.NANOSECONDS.timedWait(this, RENEWAL_NS);
      renew();
    }
  }

  /**
   * Marks another full snapshot instead. After a failure, the old mark stays, and the next renewal
   * tries again. No effect once closed.
   */
  public synchronized void moveTo(long full) {
    timestamp = full;
    renew();
  }

  /** Creates the next mark, and then deletes the current one. No effect once closed. */
  synchronized void renew() {
    if (closed) {
      return;
    }
    String next = SnapshotKeys.loading(timestamp);
    try {
      store.put(next, ByteBuffer.allocate(0));
    } catch (IOException e) {
      LOG.log(
          isRefusalLogged ? Level.TRACE : Level.DEBUG,
          "cannot mark the snapshot that is loaded: {0}",
          e.getMessage());
      isRefusalLogged = true;
      return;
    }
    String before = key;
    key = next;
    if (before != null) {
      delete(before);
    }
  }

  private void delete(String mark) {
    try {
      store.delete(mark);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a mark is left to expire: {0}", e.getMessage());
    }
  }

  /** Deletes the mark. Idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    notifyAll();
    if (key != null) {
      delete(key);
    }
  }
}
