package io.drayage.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers that are used again and again, charged to a {@link ByteBudget}.
 *
 * <p>Buffers of up to {@link #pooledBytes()} come from the pool and go back to it; a larger one is
 * made for its lease and left to the garbage collector. The pool keeps at most as many buffers as
 * the budget ever let out at a time. Thread-safe.
 */
public final class BufferPool {
  private final int pooledBytes;
  private final ByteBudget budget;

  /** The one given back last is leased first: its bytes are still in a cache. Guarded by itself. */
  private final Deque<ByteBuffer> free = new ArrayDeque<>();

  /**
   * @param pooledBytes the capacity of every pooled buffer
   * @param budget what every lease is charged to, at its capacity
   */
  public BufferPool(int pooledBytes, ByteBudget budget) {
    this.pooledBytes = pooledBytes;
    this.budget = budget;
  }

  /** The capacity of a pooled buffer. */
  public int pooledBytes() {
    return pooledBytes;
  }

  /**
   * Leases a cleared little-endian direct buffer of at least {@code minBytes}, waiting while the
   * budget is used up.
   *
   * @throws IllegalArgumentException if {@code minBytes} exceed the whole budget
   */
  public Lease lease(int minBytes) throws InterruptedException {
    int capacity = Math.max(minBytes, pooledBytes);
    budget.acquire(capacity);
    try {
      ByteBuffer buffer = capacity == pooledBytes ? takeFree() : null;
      ByteBuffer leased = buffer == null ? ByteBuffer.allocateDirect(capacity) : buffer;
      leased.clear().order(ByteOrder.LITTLE_ENDIAN);
      return new Lease(leased, () -> giveBack(leased));
    } catch (OutOfMemoryError e) {
      budget.release(capacity);
      throw e;
    }
  }

  private @Nullable ByteBuffer takeFree() {
    synchronized (free) {
      return free.poll();
    }
  }

  private void giveBack(ByteBuffer buffer) {
    int capacity = buffer.capacity();
    if (capacity == pooledBytes) {
      synchronized (free) {
        free.push(buffer);
      }
    }
    budget.release(capacity);
  }
}
