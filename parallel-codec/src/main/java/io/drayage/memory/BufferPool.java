package io.drayage.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

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
  private final Queue<ByteBuffer> free;

  /**
   * @param pooledBytes the capacity of every pooled buffer
   * @param budget what every lease is charged to, at its capacity
   */
  public BufferPool(int pooledBytes, ByteBudget budget) {
    this.pooledBytes = pooledBytes;
    this.budget = budget;
    this.free = new MpmcVarHandleArrayQueue<>((int) Math.max(2, budget.limitBytes() / pooledBytes));
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
      ByteBuffer buffer = capacity == pooledBytes ? free.poll() : null;
      ByteBuffer leased = buffer == null ? ByteBuffer.allocateDirect(capacity) : buffer;
      leased.clear().order(ByteOrder.LITTLE_ENDIAN);
      return new Lease(leased, () -> giveBack(leased));
    } catch (OutOfMemoryError e) {
      budget.release(capacity);
      throw e;
    }
  }

  private void giveBack(ByteBuffer buffer) {
    int capacity = buffer.capacity();
    if (capacity == pooledBytes) {
      free.offer(buffer);
    }
    budget.release(capacity);
  }
}
