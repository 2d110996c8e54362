package io.drayage.transport.internal;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TransportOptions;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches a worker that could send: how long it may be silent, how long it may send nothing but
 * heartbeats, and how long the rest of a sealed shipment may take. Every transport applies this
 * policy. Not thread-safe, except {@link #progressed}.
 */
public final class ShipmentWatch {
  private final long shipmentId;
  private final long idleNs;
  private final long stallNs;
  private final LongSupplier clockNs;
  private volatile long heardNs;
  private volatile long progressNs;
  private boolean sealed;

  /**
   * A watch that starts now.
   *
   * @param clockNs the time, as {@link System#nanoTime}
   */
  public ShipmentWatch(long shipmentId, TransportOptions options, LongSupplier clockNs) {
    this.shipmentId = shipmentId;
    this.idleNs = options.idleTimeout().toNanos();
    this.stallNs = options.stallTimeout().toNanos();
    this.clockNs = clockNs;
    this.heardNs = clockNs.getAsLong();
    this.progressNs = heardNs;
  }

  /** The worker has sent something; both timeouts start anew. Also to be called while it waits. */
  public void progressed() {
    long nowNs = clockNs.getAsLong();
    heardNs = nowNs;
    progressNs = nowNs;
  }

  /** The worker has sent a heartbeat. */
  public void heard() {
    heardNs = clockNs.getAsLong();
  }

  /** The seal has come. */
  public void sealed() {
    sealed = true;
  }

  /** Whether the seal has come. */
  public boolean isSealed() {
    return sealed;
  }

  /** Why the shipment fails, if the worker has been silent for too long; null if not. */
  public @Nullable ShipmentException silence() {
    long silentNs = clockNs.getAsLong() - heardNs;
    return silentNs > idleNs ? silent("the worker", idleNs) : null;
  }

  /** Why the shipment fails, if it has made no progress for too long; null if not. */
  public @Nullable ShipmentException stall() {
    return clockNs.getAsLong() - progressNs > stallNs ? late(stallNs) : null;
  }

  /** As {@link #silence}, for a worker that may have sent its seal and not its last segments. */
  public @Nullable ShipmentException silenceWhileShipping() {
    ShipmentException silence = silence();
    return silence != null && sealed ? late(idleNs) : silence;
  }

  private ShipmentException late(long limitNs) {
    long limitMs = limitNs / 1_000_000;
    return sealed
        ? new ShipmentException(
            Fault.SEGMENT_MISSING,
            format(
                "shipment %d was sealed, and what is missing did not come within %,d ms",
                shipmentId, limitMs))
        : new ShipmentException(
            Fault.CANCELLED,
            format(
                "shipment %d made no progress for %,d ms although it had credit",
                shipmentId, limitMs));
  }

  /** The failure of a connection or call whose peer was silent for {@code limitNs}. */
  public static ShipmentException silent(String peer, long limitNs) {
    return new ShipmentException(
        Fault.PEER_SILENT, format("%s was silent for %,d ms", peer, limitNs / 1_000_000));
  }
}
