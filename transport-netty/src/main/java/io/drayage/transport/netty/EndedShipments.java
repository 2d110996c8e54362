package io.drayage.transport.netty;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Credit;
import io.drayage.frame.FrameType;
import io.drayage.frame.Joined;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of ended shipments, for workers that lost the answer with their connection and ask
 * again. Each outcome is kept for the resume window, and at most the latest {@link #MAX_KEPT} of
 * them. An outcome is dropped when the worker asks for its next shipment over the same connection,
 * since the worker has then read the answer. Thread-safe.
 */
final class EndedShipments {
  static final int MAX_KEPT = 4_096;

  private final long windowNs;
  private final Map<Long, Ended> oldestFirst = new LinkedHashMap<>();

  /**
   * The outcome of one shipment: either committed, with the seal of the held cargo, or failed.
   *
   * @param failure null if the shipment was committed
   */
  record Ended(
      ServerShipment.Owner owner,
      Seal held,
      long snapshotTimestamp,
      @Nullable ShipmentException failure,
      long endedNs) {
    private static final Seal NOT_HELD = new Seal(0, 0);

    static Ended committed(ServerShipment.Owner owner, Seal held, long snapshotTimestamp) {
      return new Ended(owner, held, snapshotTimestamp, null, System.nanoTime());
    }

    static Ended failed(ServerShipment.Owner owner, ShipmentException failure) {
      return new Ended(owner, NOT_HELD, 0, failure, System.nanoTime());
    }

    /** Answers a worker that asks for the shipment, and lets the connection end. */
    void tell(ServerConnection connection, long shipmentId) {
      if (failure != null) {
        connection.endWith(failure);
        return;
      }
      connection.finish(
          new Joined(Credit.MAX_CHARGE_BYTES, Joined.everySegment()).toFrame(shipmentId),
          held.toFrame(FrameType.HELD, shipmentId),
          ControlFrame.committed(shipmentId, snapshotTimestamp));
    }
  }

  EndedShipments(Duration window) {
    this.windowNs = window.toNanos();
  }

  synchronized void keep(long shipmentId, Ended ended) {
    oldestFirst.put(shipmentId, ended);
    Iterator<Ended> oldest = oldestFirst.values().iterator();
    while (oldest.hasNext() && (isOver(oldest.next()) || oldestFirst.size() > MAX_KEPT)) {
      oldest.remove();
    }
  }

  synchronized void forget(long shipmentId) {
    oldestFirst.remove(shipmentId);
  }

  synchronized @Nullable Ended find(long shipmentId) {
    Ended ended = oldestFirst.get(shipmentId);
    return ended == null || isOver(ended) ? null : ended;
  }

  private boolean isOver(Ended ended) {
    return System.nanoTime() - ended.endedNs() > windowNs;
  }
}
