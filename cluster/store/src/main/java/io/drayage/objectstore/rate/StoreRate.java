package io.drayage.objectstore.rate;

import io.drayage.frame.StoreShare;
import java.util.function.LongSupplier;

/**
 * The rate at which a store writes, or reads: the bytes of the calls, divided by the time in which
 * at least one call waited for the store. Each measurement has the same weight as all before it
 * together. The result is rounded to a power of two, so that similar cargoes are encoded alike.
 * Thread-safe.
 */
final class StoreRate {
  /** The bytes of a measurement. Fewer bytes show the time of a call: the rate is no lower. */
  static final long MIN_BYTES = 32 << 20;

  /** The bytes of a measurement of the lower bound. Fewer bytes show nothing. */
  static final long MIN_FAST_BYTES = 1 << 20;

  /**
   * The rate from which a store counts as not measured: the CPU copies bytes into the page cache or
   * to a local disk, and encoding them needs more CPU time.
   */
  static final long FAST_BYTES_PER_SECOND = 1 << 28;

  /** The number of uploads that show nothing, after which a store counts as twice as fast. */
  static final int MAX_UNLIMITED = 16;

  private static final double NS_PER_S = 1e9;

  private final LongSupplier clockNs;
  private volatile long bytesPerSecond = StoreShare.UNMEASURED;

  // Guarded by this.

  private int calls;

  /** The time when the first of the calls in progress began. */
  private long sinceNs;

  private long busyNs;
  private long bytes;

  /** The measured time per byte; 0 before a measurement. */
  private double nsPerByte;

  /** The number of consecutive uploads that showed nothing. */
  private int unlimited;

  /**
   * @param clockNs a clock such as {@link System#nanoTime}
   */
  StoreRate(LongSupplier clockNs) {
    this.clockNs = clockNs;
  }

  /** The begin of a measurement. */
  record Mark(long nowNs, long busyNs, long bytes) {}

  /** Records the begin of a call to the store. */
  synchronized void begin() {
    if (calls++ == 0) {
      sinceNs = clockNs.getAsLong();
    }
  }

  /** Records the end of a call. */
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

  /** Measures the rate of all calls since then. Returns false if they moved too few bytes. */
  synchronized boolean learn(Mark since) {
    if (bytes - since.bytes < MIN_BYTES) {
      return false;
    }
    learn(nsPerByte(since, busyNs() - since.busyNs));
    return true;
  }

  /**
   * Measures the rate, as {@link #learn} does, by an upload. If the store waited for its caller for
   * half of the time, the time of the calls shows nothing: buffers on the way accept slow data at
   * once. A short upload does not show that a store is slow either. Such uploads only show that the
   * store is as fast as they were. After many of them, it is open whether the store is still slow.
   *
   * @param ownBytes of this upload; other uploads in progress count as well
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

  /** The rate; {@link StoreShare#UNMEASURED} if unknown, or if the store is fast. Never blocks. */
  long bytesPerSecond() {
    return bytesPerSecond;
  }
}
