package io.drayage.memory;

/**
 * The part of a {@link BufferPool} of one of several that use it together, without waiting: first
 * the bytes are asked for ({@link #grant}), and when they are there, leases are made of them.
 * Thread-safe.
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
   * Takes so many bytes of the budget when they are there, for one {@link GrantedBuffer}.
   *
   * @param capacity at least {@link #pooledBytes}
   */
  public void grant(int capacity, ByteBudget.Taker taker) {
    bytes.acquire(capacity, taker);
  }

  /** Gives bytes back that were granted and are not used. */
  public void giveBack(int capacity) {
    bytes.release(capacity);
  }

  boolean tryGrant(int capacity) {
    return bytes.tryAcquire(capacity);
  }

  Lease leaseGranted(int capacity) {
    return pool.leaseCharged(capacity, bytes::release);
  }

  /** Withdraws what is still asked for. Leases stay good. */
  @Override
  public void close() {
    bytes.close();
  }
}
