package io.drayage.transport;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pauses between attempts to reach a peer: each at most twice as long as the one before, up to
 * a limit, and of random length, so that many workers that lost the same transactor do not come
 * back at the same moment. For one thread.
 */
public final class Backoff {
  private static final long FIRST_MS = 20;
  private static final long LONGEST_MS = 2_000;

  private final long deadlineNs;
  private long longestMs = FIRST_MS;

  /** Pauses until {@code patience} is over, counted from now. */
  public Backoff(Duration patience) {
    this.deadlineNs = System.nanoTime() + patience.toNanos();
  }

  /**
   * Waits for the next attempt.
   *
   * @return false at once if the patience is over: no further attempt is worth it
   */
  public boolean pause() throws InterruptedException {
    long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
    if (leftMs <= 0) {
      return false;
    }
    long pauseMs = ThreadLocalRandom.current().nextLong(longestMs / 2, longestMs + 1);
    longestMs = Math.min(LONGEST_MS, 2 * longestMs);
    Thread.sleep(Math.min(pauseMs, leftMs));
    return true;
  }
}
