package io.drayage.transport;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Randomized exponential backoff between attempts to reach a peer, up to a limit, so that many
 * workers that lost the same transactor do not reconnect at the same moment. Not thread-safe.
 */
public final class Backoff {
  private static final long FIRST_MS = 20;
  private static final long LONGEST_MS = 2_000;

  /** 100 years, which is within a long of nanoseconds. */
  private static final Duration WITHOUT_END = Duration.ofDays(36_500);

  private long deadlineNs;
  private final long limitMs;
  private long longestMs = FIRST_MS;

  /** Creates pauses of up to 2 s until {@code patience} is over, counted from now. */
  public Backoff(Duration patience) {
    this(patience, Duration.ofMillis(LONGEST_MS));
  }

  /** Creates pauses of up to {@code longest} until {@code patience} is over, counted from now. */
  public Backoff(Duration patience, Duration longest) {
    this.deadlineNs = System.nanoTime() + patience.toNanos();
    this.limitMs = longest.toMillis();
  }

  /** Creates pauses of up to 2 s without an end, for callers that must never give up. */
  public static Backoff endless() {
    return new Backoff(WITHOUT_END);
  }

  /**
   * Waits for the next attempt.
   *
   * @return false at once if the patience is over: make no further attempt
   */
  public boolean pause() throws InterruptedException {
    long pauseMs = nextMs();
    if (pauseMs < 0) {
      return false;
    }
    Thread.sleep(pauseMs);
    return true;
  }

  /**
   * Returns the milliseconds to the next attempt, for callers that wait by other means.
   *
   * @return -1 if the patience is over
   */
  public long nextMs() {
    long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
    if (leftMs <= 0) {
      return -1;
    }
    long pauseMs = ThreadLocalRandom.current().nextLong(longestMs / 2, longestMs + 1);
    longestMs = Math.min(limitMs, 2 * longestMs);
    return Math.min(pauseMs, leftMs);
  }

  /** Extends the patience by {@code elapsedNs}, a time that must not count. */
  public void exclude(long elapsedNs) {
    deadlineNs += elapsedNs;
  }

  /** Begins with short pauses again, because something has changed. The patience ends as before. */
  public void startOver() {
    longestMs = FIRST_MS;
  }
}
