package io.drayage.study.sikdar;

import java.util.concurrent.TimeUnit;

/** The time at which the run should be over. Immutable. */
record Deadline(long endNs) {
  static Deadline inSeconds(double seconds) {
    return new Deadline(System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1)));
  }

  /** Checks whether it has passed; if so, prints to standard error that {@code what} is missing. */
  boolean cuts(String what) {
    boolean over = System.nanoTime() - endNs > 0;
    if (over) {
      System.err.println("left out, because the time is over: " + what);
    }
    return over;
  }
}
