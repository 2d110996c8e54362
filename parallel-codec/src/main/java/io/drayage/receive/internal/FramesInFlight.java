package io.drayage.receive.internal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the frames between their arrival and the end of their decoding. The count shows a decoding
 * thread, without a lock, that no other thread changes the state that it reads.
 *
 * <p>Low half: frames in flight. High half: frames that ever began. State that is read between an
 * {@link #end} with no frame left and an {@link #isUnchanged} that returns true did not change.
 * Thread-safe.
 */
final class FramesInFlight {
  private static final long BEGUN = 1L << Integer.SIZE;

  private final AtomicLong counts = new AtomicLong();

  /** Counts a frame that has arrived. */
  void begin() {
    counts.addAndGet(BEGUN + 1);
  }

  /**
   * Counts a frame that is done.
   *
   * @return the state of the counter, for {@link #isIdle} and {@link #isUnchanged}
   */
  long end() {
    return counts.decrementAndGet();
  }

  /** Whether no frame was in flight in this state. */
  static boolean isIdle(long state) {
    return (int) state == 0;
  }

  /** Whether no frame has begun since this state. */
  boolean isUnchanged(long state) {
    return counts.get() == state;
  }
}
