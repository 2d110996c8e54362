package io.drayage.snapshot;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
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
import java.util.function.Function;

/**
 * Writes the frames of shipments to the object store as they are decoded, each shipment on its own
 * thread. So the data of a commit is durable soon after its last frame, and nothing is encoded
 * twice. The frames of a small cargo are kept for the entry of its commit. Thread-safe.
 *
 * <p>If the store makes no progress for too long, the shipments that wait for it fail.
 */
public final class SnapshotRecorder implements ShipmentRecorder<CargoUpload>, AutoCloseable {
  private static final int CHECKS_PER_TIMEOUT = 4;

  private final ObjectStore store;
  private final Duration stallTimeout;
  private final Function<ShipmentHeader, StoreShare> ofStore;
  private final Set<CargoUpload> recordings = ConcurrentHashMap.newKeySet();
  private final ExecutorService writers =
      Executors.newCachedThreadPool(new DaemonThreads("snapshot-write"));
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("snapshot-watch"));
  private volatile boolean closed;

  /**
   * @param store not closed by this recorder; must be closed after it
   * @param stallTimeout time limit for storing one frame, or for completing a file
   */
  public SnapshotRecorder(ObjectStore store, Duration stallTimeout) {
    this(store, stallTimeout, header -> StoreShare.UNKNOWN);
  }

  /**
   * A recorder that reports the rates of the store to workers.
   *
   * @param ofStore the rates of the whole store, for the worker of a shipment; must not block
   */
  public SnapshotRecorder(
      ObjectStore store, Duration stallTimeout, Function<ShipmentHeader, StoreShare> ofStore) {
    this.store = store;
    this.ofStore = ofStore;
    this.stallTimeout = stallTimeout;
    long periodMs = Math.max(1, stallTimeout.toMillis() / CHECKS_PER_TIMEOUT);
    // The task ends with the executor. The check does not throw.
    var unused =
        watch.scheduleWithFixedDelay(this::endStalled, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  @Override
  public CargoUpload begin(ShipmentHeader header, Consumer<ShipmentException> onFailed)
      throws ShipmentException {
    if (closed) {
      throw new ShipmentException(Fault.CANCELLED, "the transactor is shutting down");
    }
    CargoUpload recording = new CargoUpload(store, header, onFailed, writers, recordings::remove);
    recordings.add(recording);
    recording.begin();
    return recording;
  }

  /** The share of the store's rate for one shipment. Shipments in progress share it equally. */
  @Override
  public StoreShare share(ShipmentHeader header) {
    StoreShare all = ofStore.apply(header);
    long writes = all.writeBytesPerSecond() / Math.max(1, underWay());
    return new StoreShare(writes, all.readBytesPerSecond(), all.loads());
  }

  private void endStalled() {
    recordings.forEach(recording -> recording.failIfStalled(stallTimeout));
  }

  /** The number of shipments being recorded. */
  public int underWay() {
    return recordings.size();
  }

  /** Discards the recordings in progress. Waits no longer than a second for a stalled store. */
  @Override
  public void close() {
    closed = true;
    recordings.forEach(ShipmentRecording::discard);
    watch.shutdownNow();
    writers.shutdown();
    // Waits until the writers have deleted their uploads, because nobody else would.
    Waits.orInterrupted(() -> writers.awaitTermination(1, TimeUnit.SECONDS));
  }
}
