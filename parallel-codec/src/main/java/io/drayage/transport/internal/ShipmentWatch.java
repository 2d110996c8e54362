package io.drayage.transport.internal;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TransportOptions;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the timeouts to a worker that could send: for silence, for sending only heartbeats, and
 * for the rest of a sealed shipment. Every transport uses this policy. Not thread-safe, except
 * {@link #progressed}.
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
   * Creates a watch that starts now.
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

  /** Starts both timeouts anew, because the worker has sent something or is waiting. */
  public void progressed() {
    long nowNs = clockNs.getAsLong();
    heardNs = nowNs;
    progressNs = nowNs;
  }

  /** Starts the timeout of silence anew, because the worker has sent a heartbeat. */
  public void heard() {
    heardNs = clockNs.getAsLong();
  }

  /** Notes that the seal has arrived. */
  public void sealed() {
    sealed = true;
  }

  /** Whether the seal has arrived. */
  public boolean isSealed() {
    return sealed;
  }

  /** Returns the shipment's failure if the worker has been silent for too long; else null. */
  public @Nullable ShipmentException silence() {
    long silentNs = clockNs.getAsLong() - heardNs;
    return silentNs > idleNs ? silent("the worker", idleNs) : null;
  }

  /** Returns the shipment's failure if it has made no progress for too long; else null. */
  public @Nullable ShipmentException stall() {
    return clockNs.getAsLong() - progressNs > stallNs ? late(stallNs) : null;
  }

  /** Returns {@link #silence} for a worker that may have sent its seal, but not all segments. */
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
                "shipment %d was sealed, but missing segments did not arrive within %,d ms",
                shipmentId, limitMs))
        : new ShipmentException(
            Fault.CANCELLED,
            format(
                "shipment %d made no progress for %,d ms although it had credit",
                shipmentId, limitMs));
  }

  /** Returns the failure of a connection or call whose peer was silent for {@code limitNs}. */
  public static ShipmentException silent(String peer, long limitNs) {
    return new ShipmentException(
        Fault.PEER_SILENT, format("%s was silent for %,d ms", peer, limitNs / 1_000_000));
  }
}
