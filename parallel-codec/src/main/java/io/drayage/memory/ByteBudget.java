package io.drayage.memory;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounded bytes: who wants memory takes it from the budget first, and waits while there is none.
 *
 * <p>Thread-safe. Waiting is for codec threads and callers, never for an event loop, which uses
 * {@link #tryAcquire}. Waiters are served in the order in which they came, so that a large request
 * is not starved by small ones.
 */
public final class ByteBudget {
  private final long limitBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  /** A token for each waiting thread, the next to be served first. */
  private final Queue<Object> waiting = new ArrayDeque<>();

  private long usedBytes;
  private long peakBytes;

  /**
   * @throws IllegalArgumentException if the limit is not positive
   */
  public ByteBudget(long limitBytes) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException(
          "a byte budget must be positive, not %,d".formatted(limitBytes));
    }
    this.limitBytes = limitBytes;
  }

  /** The most bytes that may be in use at a time. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes in use now. */
  public long usedBytes() {
    lock.lock();
    try {
      return usedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** The most bytes that were ever in use at a time. */
  public long peakBytes() {
    lock.lock();
    try {
      return peakBytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes {@code bytes}, waiting until they are there.
   *
   * @throws IllegalArgumentException if they are more than the whole budget
   * @throws InterruptedException if interrupted while it waits; nothing was taken
   */
  public void acquire(long bytes) throws InterruptedException {
    checkRequest(bytes);
    lock.lockInterruptibly();
    try {
      if (!waiting.isEmpty() || bytes > limitBytes - usedBytes) {
        awaitTurn(bytes);
      }
      take(bytes);
    } finally {
      lock.unlock();
    }
  }

  private void awaitTurn(long bytes) throws InterruptedException {
    Object turn = new Object();
    waiting.add(turn);
    try {
      while (waiting.peek() != turn || bytes > limitBytes - usedBytes) {
        released.await();
      }
    } finally {
      waiting.remove(turn);
      // Whoever stands behind may be next, whether this one was served or interrupted.
      released.signalAll();
    }
  }

  /**
   * Takes {@code bytes} if they are there now and nobody waits for them.
   *
   * @return whether they were taken
   * @throws IllegalArgumentException if they are more than the whole budget
   */
  public boolean tryAcquire(long bytes) {
    checkRequest(bytes);
    lock.lock();
    try {
      if (!waiting.isEmpty() || bytes > limitBytes - usedBytes) {
        return false;
      }
      take(bytes);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives {@code bytes} back that were taken before. */
  public void release(long bytes) {
    lock.lock();
    try {
      if (bytes < 0 || bytes > usedBytes) {
        throw new IllegalStateException(
            "%,d bytes given back, %,d in use".formatted(bytes, usedBytes));
      }
      usedBytes -= bytes;
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void take(long bytes) {
    usedBytes += bytes;
    peakBytes = Math.max(peakBytes, usedBytes);
  }

  private void checkRequest(long bytes) {
    if (bytes < 0 || bytes > limitBytes) {
      throw new IllegalArgumentException(
          "a request for %,d bytes exceeds the budget of %,d".formatted(bytes, limitBytes));
    }
  }
}
