package io.drayage.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/** Waits for threads and conditions, until the test's own deadline. */
public final class Waiting {
  private static final Set<Thread.State> PARKED =
      Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private static final long POLL_NS = 100_000;

  private Waiting() {}

  /** A thread that has begun a task. */
  public record Running<T>(Thread thread, FutureTask<T> result) {
    /** Returns the result, which must come. */
    public T get() throws Exception {
      return result.get();
    }
  }

  /** Runs {@code task} on a daemon thread of its own. */
  public static <T> Running<T> start(Callable<T> task) {
    FutureTask<T> result = new FutureTask<>(task);
    Thread thread = new Thread(result, "test");
    thread.setDaemon(true);
    thread.start();
    return new Running<>(thread, result);
  }

  /** Runs {@code task} on a thread of its own, and returns when the thread waits. */
  public static <T> Running<T> startAndAwaitParked(Callable<T> task) {
    Running<T> running = start(task);
    awaitParked(running.thread());
    assertThat(running.result()).isNotDone();
    return running;
  }

  /** Returns when {@code thread} waits for a lock, a condition or a permit, or has ended. */
  public static void awaitParked(Thread thread) {
    await(() -> PARKED.contains(thread.getState()) || !thread.isAlive());
  }

  /** Returns when {@code condition} holds. */
  public static void await(Callable<Boolean> condition) {
    try {
      while (!condition.call()) {
        assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
        LockSupport.parkNanos(POLL_NS);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
