package io.drayage.receive.internal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the frames between their arrival and the end of their decoding, so that a decoding thread
 * can tell, without a lock, that the state it reads is not being changed.
 *
 * <p>Low half: frames in flight; high half: frames that ever began. What is read between a {@link
 * #end} that left none and a {@link #isUnchanged} that returns true was not changed meanwhile.
 * Thread-safe.
 */
final class FramesInFlight {
  private static final long BEGUN = 1L << Integer.SIZE;

  private final AtomicLong counts = new AtomicLong();

  /** A frame has arrived. */
  void begin() {
    counts.addAndGet(BEGUN + 1);
  }

  /**
   * A frame is done with.
   *
   * @return the state of the counter, for {@link #isIdle} and {@link #isUnchanged}
   */
  long end() {
    return counts.decrementAndGet();
  }

  /** Whether in this state no frame was under way. */
  static boolean isIdle(long state) {
    return (int) state == 0;
  }

  /** Whether no frame has begun since this state. */
  boolean isUnchanged(long state) {
    return counts.get() == state;
  }
}
