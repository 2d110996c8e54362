package io.drayage.memory;

/**
 * The part of a {@link BufferPool} of one of several users, without waiting: bytes are acquired
 * first, then buffers are leased from them. Thread-safe.
 */
public final class BufferShare implements AutoCloseable {
  private final BufferPool pool;
  private final ByteBudget.Share bytes;

  BufferShare(BufferPool pool, ByteBudget.Share bytes) {
    this.pool = pool;
    this.bytes = bytes;
  }

  /** The capacity of a pooled buffer. */
  public int pooledBytes() {
    return pool.pooledBytes();
  }

  /**
   * Acquires bytes of the budget for one {@link AcquiredBuffer}.
   *
   * @param capacity at least {@link #pooledBytes}
   */
  public void acquire(int capacity, ByteBudget.AcquireListener listener) {
    bytes.acquire(capacity, listener);
  }

  /** Releases bytes that were acquired and not leased. */
  public void release(int capacity) {
    bytes.release(capacity);
  }

  boolean tryAcquire(int capacity) {
    return bytes.tryAcquire(capacity);
  }

  Lease leaseAcquired(int capacity) {
    return pool.leaseCharged(capacity, bytes::release);
  }

  /** Withdraws pending requests. Leases stay valid. */
  @Override
  public void close() {
    bytes.close();
  }
}
