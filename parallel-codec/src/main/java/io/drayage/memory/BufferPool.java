package io.drayage.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reused direct buffers, charged to a {@link ByteBudget}.
 *
 * <p>Buffers of up to {@link #pooledBytes()} return to the pool. A larger buffer is allocated for
 * its lease and left to the garbage collector. The pool keeps at most as many buffers as were ever
 * leased at a time. Thread-safe.
 */
public final class BufferPool implements LeaseSource {
  private final int pooledBytes;
  private final ByteBudget budget;
  private final int alignment;

  /** LIFO, because the bytes of the last buffer are still in a cache. Guarded by itself. */
  private final Deque<ByteBuffer> free = new ArrayDeque<>();

  /**
   * @param pooledBytes the capacity of every pooled buffer
   * @param budget is charged with the capacity of every lease
   */
  public BufferPool(int pooledBytes, ByteBudget budget) {
    this(pooledBytes, budget, 1);
  }

  /**
   * A pool of aligned buffers, which files that are written past the page cache need.
   *
   * @param alignment a power of 2; the addresses of the buffers are multiples of it
   */
  public BufferPool(int pooledBytes, ByteBudget budget, int alignment) {
    this.pooledBytes = pooledBytes;
    this.budget = budget;
    this.alignment = alignment;
  }

  @Override
  public int pooledBytes() {
    return pooledBytes;
  }

  /**
   * Leases a cleared little-endian direct buffer of at least {@code minBytes}. Waits for the
   * budget.
   *
   * @throws IllegalArgumentException if {@code minBytes} exceed the whole budget
   */
  @Override
  public Lease lease(int minBytes) throws InterruptedException {
    int capacity = Math.max(minBytes, pooledBytes);
    budget.acquire(capacity);
    return leaseAcquired(capacity, budget::release);
  }

  /** Opens a share of the budget for one of several users, for leases without waiting. */
  public ByteBudget.Share openShare() {
    return budget.openShare();
  }

  /**
   * Leases a buffer whose capacity was already acquired from the budget.
   *
   * @param capacity at least {@link #pooledBytes}
   * @param release releases the capacity, also if there is no memory for the buffer
   */
  public Lease leaseAcquired(int capacity, LongConsumer release) {
    try {
      ByteBuffer buffer = capacity == pooledBytes ? pollFree() : null;
      ByteBuffer leased = buffer == null ? allocate(capacity) : buffer;
      leased.clear().order(ByteOrder.LITTLE_ENDIAN);
      return new Lease(leased, () -> recycle(leased, release));
    } catch (OutOfMemoryError e) {
      release.accept(capacity);
      throw e;
    }
  }

  private ByteBuffer allocate(int capacity) {
    if (alignment == 1) {
      return ByteBuffer.allocateDirect(capacity);
    }
    ByteBuffer larger = ByteBuffer.allocateDirect(capacity + alignment);
    return larger.alignedSlice(alignment).slice(0, capacity);
  }

  private @Nullable ByteBuffer pollFree() {
    synchronized (free) {
      return free.poll();
    }
  }

  private void recycle(ByteBuffer buffer, LongConsumer release) {
    int capacity = buffer.capacity();
    if (capacity == pooledBytes) {
      synchronized (free) {
        free.push(buffer);
      }
    }
    release.accept(capacity);
  }
}
