package io.drayage.snapshot;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.ShipmentRecorder;
import io.drayage.receive.ShipmentRecording;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes the frames of every shipment into the object store while they arrive, each shipment on a
 * thread of its own, so that the snapshot of a commit is there soon after its last frame, and
 * nothing is encoded twice. Thread-safe.
 *
 * <p>A store that makes no progress for too long costs the shipments that wait for it, each with an
 * error that says so.
 */
public final class SnapshotRecorder implements ShipmentRecorder, AutoCloseable {
  /** The default of the time in which a store has to take a frame. */
  public static final Duration DEFAULT_STALL_TIMEOUT = Duration.ofSeconds(60);

  private static final int CHECKS_PER_TIMEOUT = 4;

  private final ObjectStore store;
  private final Duration stallTimeout;
  private final Set<SnapshotRecording> recordings = ConcurrentHashMap.newKeySet();
  private final ExecutorService writers =
      Executors.newCachedThreadPool(task -> daemon(task, "snapshot-write"));
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "snapshot-watch"));
  private volatile boolean closed;

  /** With the default timeout. */
  public SnapshotRecorder(ObjectStore store) {
    this(store, DEFAULT_STALL_TIMEOUT);
  }

  /**
   * @param store stays the caller's, and is closed after this recorder
   * @param stallTimeout the longest time in which the store may be busy with one frame, or with the
   *     end of a file
   */
  public SnapshotRecorder(ObjectStore store, Duration stallTimeout) {
    this.store = store;
    this.stallTimeout = stallTimeout;
    long periodMs = Math.max(1, stallTimeout.toMillis() / CHECKS_PER_TIMEOUT);
    // Ends with the executor; a check does not throw.
    var unused =
        watch.scheduleWithFixedDelay(this::endStalled, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public SnapshotRecording begin(ShipmentHeader header, Consumer<ShipmentException> onFailed)
      throws ShipmentException {
    if (closed) {
      throw new ShipmentException(Fault.CANCELLED, "the transactor is shutting down");
    }
    SnapshotRecording recording =
        new SnapshotRecording(store, header, onFailed, writers, recordings::remove);
    recordings.add(recording);
    writers.execute(recording::write);
    return recording;
  }

  private void endStalled() {
    recordings.forEach(recording -> recording.failIfStalled(stallTimeout));
  }

  /** The recordings whose files are being written. */
  public int underWay() {
    return recordings.size();
  }

  /** Drops the recordings that are under way. Does not wait for a store that stalls. */
  @Override
  public void close() {
    closed = true;
    recordings.forEach(ShipmentRecording::discard);
    watch.shutdownNow();
    writers.shutdown();
  }
}
