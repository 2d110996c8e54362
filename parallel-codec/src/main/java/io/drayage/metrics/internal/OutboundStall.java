package io.drayage.metrics.internal;

import io.drayage.metrics.Counters;
import io.drayage.metrics.Metric;

/**
 * Takes the time for which one connection has frames that it may not write. Not thread-safe, its
 * event loop, which reports the state after every look at the queue.
 */
public final class OutboundStall {
  /** Why the frames of a connection wait. */
  public enum Reason {
    /** Nothing waits. */
    NONE,
    /** The transactor has granted no credit for the next one. */
    CREDIT,
    /** The socket takes no more for now. */
    SOCKET
  }

  private final Counters counters;
  private Reason reason = Reason.NONE;
  private long sinceNs;
  private long shipmentId;
  private CreditStallEvent event = new CreditStallEvent();

  /**
   * One of a connection that does not stall.
   *
   * @param counters get each stall when it ends
   */
  public OutboundStall(Counters counters) {
    this.counters = counters;
  }

  /**
   * Things stand like this now. A stall ends when another reason is told.
   *
   * @param ofShipment whose frame waits; without meaning if none does
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
