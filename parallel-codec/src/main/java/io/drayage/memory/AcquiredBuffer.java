package io.drayage.memory;

import org.jspecify.annotations.Nullable;

/**
 * Leases from bytes that were {@linkplain BufferShare#acquire acquired} before. A larger lease is
 * made if the difference can be acquired at once; if not, {@link #neededBytes} tells what to
 * acquire. Not thread-safe.
 */
public final class AcquiredBuffer implements LeaseSource, AutoCloseable {
  private final BufferShare share;
  private final int pooledBytes;
  private int acquiredBytes;
  private int neededBytes;

  /** Owns the acquired bytes from now on. */
  public AcquiredBuffer(BufferShare share, int acquiredBytes) {
    this.share = share;
    this.pooledBytes = acquiredBytes;
    this.acquiredBytes = acquiredBytes;
  }

  @Override
  public int pooledBytes() {
    return pooledBytes;
  }

  @Override
  public @Nullable Lease lease(int minBytes) {
    int capacity = Math.max(minBytes, share.pooledBytes());
    if (capacity > acquiredBytes) {
      if (!share.tryAcquire(capacity - acquiredBytes)) {
        neededBytes = capacity;
        return null;
      }
      acquiredBytes = capacity;
    }
    int leased = acquiredBytes;
    acquiredBytes = 0;
    return share.leaseAcquired(leased);
  }

  /** What the last lease that failed would have needed. */
  public int neededBytes() {
    return neededBytes;
  }

  /** Releases what was not leased. */
  @Override
  public void close() {
    if (acquiredBytes > 0) {
      int unused = acquiredBytes;
      acquiredBytes = 0;
      share.release(unused);
    }
  }
}
