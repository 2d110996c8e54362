package io.drayage.send;

import io.drayage.codec.Serializer;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a sender knows of the rate of its link: what the transport states, or else what earlier
 * shipments showed. A shipment for which frames mostly waited for the socket, and not for the
 * receiver's credit, went at the link's rate; any other only shows that the link is no slower.
 *
 * <p>What is measured is rounded to a power of two, so that shipments alike are encoded alike. One
 * shipment is encoded for one rate. Thread-safe; of shipments at a time each counts for itself, so
 * the last to end wins.
 */
final class LinkRate {
  /** Shorter shipments end before buffers on the way are full. */
  static final long MIN_BYTES = 32 << 20;

  /** Of the time of a shipment, the part for which the socket must have been full. */
  private static final double MIN_STALLED = 0.5;

  private static final double NS_PER_S = 1e9;
  private static final long UNKNOWN = 0;

  private final boolean given;
  private final AtomicLong bytesPerSecond;

  /**
   * @param given the rate; empty if it is to be measured
   */
  LinkRate(OptionalLong given) {
    this.given = given.isPresent();
    this.bytesPerSecond = new AtomicLong(given.orElse(UNKNOWN));
  }

  /** The serializer for the next shipment, of whose threads each has its share of the link. */
  Serializer serializer(Serializer serializer, int threads) {
    long rate = bytesPerSecond.get();
    return rate == UNKNOWN ? serializer : serializer.forLink(Math.max(1, rate / threads));
  }

  /**
   * Learns from a shipment.
   *
   * @param outbound what was counted while it was under way
   */
  void observe(SendReport report, Figures outbound) {
    long ns = report.serializeNs() + report.drainNs();
    if (given || report.wireBytes() < MIN_BYTES || ns <= 0) {
      return;
    }
    long rate = nearestPowerOfTwo(report.wireBytes() * NS_PER_S / ns);
    long stalledNs = outbound.get(Metric.SOCKET_STALL_NS);
    boolean isLinkBound =
        stalledNs > outbound.get(Metric.CREDIT_STALL_NS) && stalledNs > MIN_STALLED * ns;
    if (isLinkBound) {
      bytesPerSecond.set(rate);
    } else {
      bytesPerSecond.updateAndGet(known -> known == UNKNOWN ? known : Math.max(known, rate));
    }
  }

  private static long nearestPowerOfTwo(double rate) {
    return Long.highestOneBit((long) Math.max(1, rate * Math.sqrt(2)));
  }
}
