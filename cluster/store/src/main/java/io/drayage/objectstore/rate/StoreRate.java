package io.drayage.objectstore.rate;

import io.drayage.frame.StoreShare;
import java.util.function.LongSupplier;

/**
 * What a store takes, or gives: the bytes of the calls that brought them, over the time in which at
 * least one call waited for the store. So a store that mostly waits for its callers is not taken to
 * be slow. Each measurement counts as much as all before it, and what they say is rounded to a
 * power of two, so that cargoes alike are encoded alike. Thread-safe.
 */
final class StoreRate {
  /** Fewer show how long a call takes rather than how fast bytes go. */
  static final long MIN_BYTES = 32 << 20;

  private static final double NS_PER_S = 1e9;

  private final LongSupplier clockNs;
  private volatile long bytesPerSecond = StoreShare.UNMEASURED;

  // Guarded by this.

  private int calls;

  /** When the first of the calls began that are under way. */
  private long sinceNs;

  private long busyNs;
  private long bytes;

  /** What was measured; 0: nothing yet. */
  private double nsPerByte;

  /**
   * @param clockNs as {@link System#nanoTime}
   */
  StoreRate(LongSupplier clockNs) {
    this.clockNs = clockNs;
  }

  /** Where a measurement begins. */
  record Mark(long busyNs, long bytes) {}

  /** A call to the store begins. */
  synchronized void begin() {
    if (calls++ == 0) {
      sinceNs = clockNs.getAsLong();
    }
  }

  /** A call has ended. */
  synchronized void end(long moved) {
    bytes += moved;
    if (--calls == 0) {
      busyNs += clockNs.getAsLong() - sinceNs;
    }
  }

  synchronized Mark mark() {
    return new Mark(busyNs(), bytes);
  }

  private long busyNs() {
    return calls == 0 ? busyNs : busyNs + clockNs.getAsLong() - sinceNs;
  }

  /**
   * Counts what all calls did since then.
   *
   * @return false if that was too little
   */
  synchronized boolean learn(Mark since) {
    long moved = bytes - since.bytes;
    if (moved < MIN_BYTES) {
      return false;
    }
    double measured = Math.max(1, busyNs() - since.busyNs) / (double) moved;
    nsPerByte = nsPerByte == 0 ? measured : (nsPerByte + measured) / 2;
    bytesPerSecond = Long.highestOneBit((long) Math.max(1, NS_PER_S / nsPerByte * Math.sqrt(2)));
    return true;
  }

  /** {@link StoreShare#UNMEASURED} as long as too little was moved. Does not block. */
  long bytesPerSecond() {
    return bytesPerSecond;
  }
}
