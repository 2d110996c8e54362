package io.drayage.send;

import io.drayage.codec.Serializer;
import io.drayage.frame.StoreShare;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rate of a sender's link: the rate that the transport states, or a rate measured during
 * shipments. Frames that mostly waited for the socket, and not for the receiver's credit, went at
 * the link's rate. Otherwise their rate is only a minimum of the link's rate.
 *
 * <p>The link is measured as a whole: concurrent shipments share one period, and their bytes and
 * waits are added. The measured rate is rounded to a power of two, so that similar shipments are
 * encoded in the same way. One shipment is encoded for one rate. Thread-safe.
 */
final class LinkRate {
  /** Minimum bytes of a measured period. A shorter one ends before buffers on the way are full. */
  static final long MIN_BYTES = 32 << 20;

  /** Minimum share of a period in which the socket must have been full. */
  private static final double MIN_STALLED = 0.5;

  private static final double NS_PER_S = 1e9;
  private static final long UNKNOWN = 0;

  /** The assumed rate of an unknown link if the store's rate is known: 10 Gbit/s. */
  private static final long ASSUMED_BYTES_PER_SECOND = 1_250_000_000;

  private final boolean given;
  private final Supplier<Figures> outbound;
  private final LongSupplier clockNs;
  private volatile long bytesPerSecond;

  // Guarded by this.

  private int underWay;

  /** The start of the period. */
  private long sinceNs;

  private Figures since = new Figures(Map.of());

  /**
   * @param given the rate; empty if it is to be measured
   * @param outbound the counters of the bytes sent over the link, and of the waits of frames
   * @param clockNs as {@link System#nanoTime}
   */
  LinkRate(OptionalLong given, Supplier<Figures> outbound, LongSupplier clockNs) {
    this.given = given.isPresent();
    this.outbound = outbound;
    this.clockNs = clockNs;
    this.bytesPerSecond = given.orElse(UNKNOWN);
  }

  /**
   * Returns the serializer for the next shipment. Each of its threads has an equal share of the
   * link and of the store behind it.
   */
  Serializer serializer(Serializer serializer, StoreShare store, int threads) {
    long known = bytesPerSecond;
    long link = known == UNKNOWN ? ASSUMED_BYTES_PER_SECOND : known;
    long rate = store.behind(link);
    return known == UNKNOWN && rate == link
        ? serializer
        : serializer.forRate(Math.max(1, rate / threads));
  }

  /** Begins the sending of a shipment. */
  Use begin() {
    return new Use();
  }

  /** The traffic of the link in a period. */
  private record Period(long ns, Figures figures) {}

  /** One shipment's use of the link. */
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

    /** Ends the sending: the whole shipment was handed to the wire, or will never be. */
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

    /** Uses the measurement until the end of the sending, because the shipment has arrived. */
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
