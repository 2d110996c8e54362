package io.drayage.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting threads, and their reaction to interrupts. */
public final class Waits {
  private Waits() {}

  /** A task that waits. */
  public interface Interruptible {
    void run() throws InterruptedException;
  }

  /** Runs {@code task}. An interrupt ends it, and stays set. */
  public static void orInterrupted(Interruptible task) {
    try {
      task.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs {@code task} again until it ends without an interrupt. An interrupt stays set. */
  public static void uninterrupted(Interruptible task) {
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        task.run();
        ended = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits on a monitor, which the caller has entered.
   *
   * @param deadlineNs the end of the wait at the latest, on the clock of {@link System#nanoTime}
   * @param over ends the wait; called with the monitor, first at once
   */
  public static void until(Object monitor, long deadlineNs, BooleanSupplier over)
      throws InterruptedException {
    long leftNs = deadlineNs - System.nanoTime();
    while (!over.getAsBoolean() && leftNs > 0) {
      TimeUnit.NANOSECONDS.timedWait(monitor, leftNs);
      leftNs = deadlineNs - System.nanoTime();
    }
  }
}
