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

  /** After so many uploads that show nothing, a store counts as twice as fast. */
  static final int MAX_UNLIMITED = 16;

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

  /** How many uploads in a row showed nothing. */
  private int unlimited;

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

  /** Counts what all calls did since then. Returns false if it was too little. */
  synchronized boolean learn(Mark since) {
    if (bytes - since.bytes < MIN_BYTES) {
      return false;
    }
    learn(nsPerByte(since, busyNs() - since.busyNs));
    return true;
  }

  /**
   * As {@link #learn}, of an upload. If the store waited for its caller for half of the time, how
   * long the calls took tells nothing, since buffers on the way take what comes slowly at once; nor
   * does a short upload tell that a store is slow. Such uploads only show that it is as fast as
   * they were, and many of them leave it open whether it is still slow.
   *
   * @param ownBytes of this upload; others that were under way count as well
   */
  synchronized void learnOfUpload(Mark since, long ownBytes) {
    if (ownBytes < MIN_FAST_BYTES) {
      return;
    }
    long busy = busyNs() - since.busyNs;
    long elapsed = clockNs.getAsLong() - since.nowNs;
    boolean wasLimit = 2 * busy > elapsed;
    double measured = nsPerByte(since, wasLimit ? busy : elapsed);
    if ((wasLimit && ownBytes >= MIN_BYTES) || measured < nsPerByte) {
      unlimited = 0;
      learn(measured);
    } else if (nsPerByte > 0 && ++unlimited == MAX_UNLIMITED) {
      unlimited = 0;
      learn(0);
    }
  }

  private double nsPerByte(Mark since, long ns) {
    return Math.max(1, ns) / (double) (bytes - since.bytes);
  }

  private void learn(double measured) {
    nsPerByte = nsPerByte == 0 ? measured : (nsPerByte + measured) / 2;
    long rate = Long.highestOneBit((long) Math.max(1, NS_PER_S / nsPerByte * Math.sqrt(2)));
    bytesPerSecond = rate < FAST_BYTES_PER_SECOND ? rate : StoreShare.UNMEASURED;
  }

  /** {@link StoreShare#UNMEASURED} if too little was moved, or it is fast. Does not block. */
  long bytesPerSecond() {
    return bytesPerSecond;
  }
}
