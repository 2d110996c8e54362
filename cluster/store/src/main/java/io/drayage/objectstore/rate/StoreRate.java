package io.drayage.objectstore.rate;

import io.drayage.frame.StoreShare;
import java.util.function.LongSupplier;

/**
 * What a store takes, or gives: the bytes of the calls that brought them, over the time in which at
 * least one call waited for the store. Each measurement counts as much as all before it, and what
 * they say is rounded to a power of two, so that cargoes alike are encoded alike. Thread-safe.
 */
final class StoreRate {
  /** Fewer show how long a call takes: for bytes, only that they go no slower. */
  static final long MIN_BYTES = 32 << 20;

  /** Fewer show nothing. */
  static final long MIN_FAST_BYTES = 1 << 20;

  /**
   * A store that is as fast as this counts as not measured: bytes into the page cache or to a local
   * disk take the processor, and encoding them takes more of it.
   */
  static final long FAST_BYTES_PER_SECOND = 1 << 28;

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
  record Mark(long nowNs, long busyNs, long bytes) {}

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
    return new Mark(clockNs.getAsLong(), busyNs(), bytes);
  }

  private long busyNs() {
    return calls == 0 ? busyNs : busyNs + clockNs.getAsLong() - sinceNs;
  }

  /** Whether callers waited for the store for more than half of the time since then. */
  synchronized boolean wasBusy(Mark since) {
    return 2 * (busyNs() - since.busyNs) > clockNs.getAsLong() - since.nowNs;
  }

  /**
   * Counts what all calls did since then.
   *
   * @param wasLimit whether they went as fast as the store; else they only show that it is no
   *     slower
   * @return false if it was too little
   */
  synchronized boolean learn(Mark since, boolean wasLimit) {
    long moved = bytes - since.bytes;
    if (moved < (wasLimit ? MIN_BYTES : MIN_FAST_BYTES)) {
      return false;
    }
    double measured = Math.max(1, busyNs() - since.busyNs) / (double) moved;
    if (wasLimit || measured < nsPerByte) {
      nsPerByte = nsPerByte == 0 ? measured : (nsPerByte + measured) / 2;
      long rate = Long.highestOneBit((long) Math.max(1, NS_PER_S / nsPerByte * Math.sqrt(2)));
      bytesPerSecond = rate < FAST_BYTES_PER_SECOND ? rate : StoreShare.UNMEASURED;
    }
    return true;
  }

  /** {@link StoreShare#UNMEASURED} if too little was moved, or it is fast. Does not block. */
  long bytesPerSecond() {
    return bytesPerSecond;
  }
}
