package io.drayage.send;

import io.drayage.codec.Serializer;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a sender knows of the rate of its link: what the transport states, or else what its
 * shipments showed. While frames mostly waited for the socket, and not for the receiver's credit,
 * they went at the link's rate; otherwise they only show that the link is no slower.
 *
 * <p>The link is measured as a whole: shipments that are under way at the same time share one
 * period, whose bytes and waits are those of all. What is measured is rounded to a power of two, so
 * that shipments alike are encoded alike. One shipment is encoded for one rate. Thread-safe.
 */
final class LinkRate {
  /** Fewer end before buffers on the way are full. */
  static final long MIN_BYTES = 32 << 20;

  /** Of the time of a period, the part for which the socket must have been full. */
  private static final double MIN_STALLED = 0.5;

  private static final double NS_PER_S = 1e9;
  private static final long UNKNOWN = 0;

  private final boolean given;
  private final Supplier<Figures> outbound;
  private final LongSupplier clockNs;
  private volatile long bytesPerSecond;

  // Guarded by this.

  private int underWay;

  /** Where the period began. */
  private long sinceNs;

  private Figures since = new Figures(Map.of());

  /**
   * @param given the rate; empty if it is to be measured
   * @param outbound what has been sent over the link, and how long frames waited
   * @param clockNs as {@link System#nanoTime}
   */
  LinkRate(OptionalLong given, Supplier<Figures> outbound, LongSupplier clockNs) {
    this.given = given.isPresent();
    this.outbound = outbound;
    this.clockNs = clockNs;
    this.bytesPerSecond = given.orElse(UNKNOWN);
  }

  /** The serializer for the next shipment, of whose threads each has its share of the link. */
  Serializer serializer(Serializer serializer, int threads) {
    long rate = bytesPerSecond;
    return rate == UNKNOWN ? serializer : serializer.forLink(Math.max(1, rate / threads));
  }

  /** A shipment begins to send. */
  Use begin() {
    return new Use();
  }

  /** What went over the link in a period. */
  private record Period(long ns, Figures figures) {}

  /** That one shipment sends over the link. */
  final class Use implements AutoCloseable {
    private @Nullable Period period;
    private boolean sending;

    private Use() {
      if (given) {
        return;
      }
      synchronized (LinkRate.this) {
        sending = true;
        if (underWay++ == 0) {
          beginPeriod();
        }
      }
    }

    /** All of it has been handed to the wire, or will never be. */
    void drained() {
      synchronized (LinkRate.this) {
        if (!sending) {
          return;
        }
        sending = false;
        underWay--;
        Period until = new Period(clockNs.getAsLong() - sinceNs, outbound.get().minus(since));
        if (until.figures.get(Metric.SENT_BYTES) >= MIN_BYTES) {
          period = until;
          beginPeriod();
        }
      }
    }

    /** It has arrived: what was measured until it was drained counts. */
    void arrived() {
      synchronized (LinkRate.this) {
        if (period != null) {
          learn(period);
        }
      }
    }

    @Override
    public void close() {
      drained();
    }
  }

  private void beginPeriod() {
    sinceNs = clockNs.getAsLong();
    since = outbound.get();
  }

  private void learn(Period period) {
    Figures figures = period.figures;
    long rate =
        nearestPowerOfTwo(figures.get(Metric.SENT_BYTES) * NS_PER_S / Math.max(1, period.ns));
    long stalledNs = figures.get(Metric.SOCKET_STALL_NS);
    boolean isLinkBound =
        stalledNs > figures.get(Metric.CREDIT_STALL_NS) && stalledNs > MIN_STALLED * period.ns;
    if (isLinkBound || (bytesPerSecond != UNKNOWN && rate > bytesPerSecond)) {
      bytesPerSecond = rate;
    }
  }

  private static long nearestPowerOfTwo(double rate) {
    return Long.highestOneBit((long) Math.max(1, rate * Math.sqrt(2)));
  }
}
