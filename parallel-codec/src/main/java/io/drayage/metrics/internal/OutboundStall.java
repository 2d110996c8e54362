package io.drayage.metrics.internal;

import io.drayage.metrics.Counters;
import io.drayage.metrics.Metric;

/**
 * Measures the time in which one connection has frames that it may not write. Not thread-safe: the
 * event loop of the connection reports the state after each check of the queue.
 */
public final class OutboundStall {
  /** The reasons why the frames of a connection wait. */
  public enum Reason {
    /** Nothing waits. */
    NONE,
    /** The transactor has granted no credit for the next frame. */
    CREDIT,
    /** The socket accepts no more bytes for now. */
    SOCKET
  }

  private final Counters counters;
  private Reason reason = Reason.NONE;
  private long sinceNs;
  private long shipmentId;
  private CreditStallEvent event = new CreditStallEvent();

  /**
   * Creates the meter of a connection that does not stall.
   *
   * @param counters count each stall when it ends
   */
  public OutboundStall(Counters counters) {
    this.counters = counters;
  }

  /**
   * Reports the present state. A stall ends when another reason is reported.
   *
   * @param ofShipment the shipment whose frame waits; without meaning if no frame waits
   */
  public void now(Reason current, long ofShipment) {
    if (current == reason) {
      return;
    }
    long nowNs = System.nanoTime();
    if (reason == Reason.SOCKET) {
      counters.count(Metric.SOCKET_STALLS, Metric.SOCKET_STALL_NS, nowNs - sinceNs);
    } else if (reason == Reason.CREDIT) {
      counters.count(Metric.CREDIT_STALLS, Metric.CREDIT_STALL_NS, nowNs - sinceNs);
      event.shipmentId = shipmentId;
      event.queuedBytes = counters.level(Metric.QUEUED_BYTES);
      event.commit();
    }
    reason = current;
    sinceNs = nowNs;
    shipmentId = ofShipment;
    if (current == Reason.CREDIT) {
      event = new CreditStallEvent();
      event.begin();
    }
  }
}
