package io.drayage.memory;

import org.jspecify.annotations.Nullable;

/**
 * Leases from bytes that were {@linkplain BufferShare#grant granted} before. Who needs more than
 * that gets it if it is there at once; else {@link #neededBytes} says what to ask for. For one
 * thread.
 */
public final class GrantedBuffer implements LeaseSource, AutoCloseable {
  private final BufferShare share;
  private final int pooledBytes;
  private int grantedBytes;
  private int neededBytes;

  /** Takes the granted bytes over. */
  public GrantedBuffer(BufferShare share, int grantedBytes) {
    this.share = share;
    this.pooledBytes = grantedBytes;
    this.grantedBytes = grantedBytes;
  }

  @Override
  public int pooledBytes() {
    return pooledBytes;
  }

  @Override
  public @Nullable Lease lease(int minBytes) {
    int capacity = Math.max(minBytes, share.pooledBytes());
    if (capacity > grantedBytes) {
      if (!share.tryGrant(capacity - grantedBytes)) {
        neededBytes = capacity;
        return null;
      }
      grantedBytes = capacity;
    }
    int leased = grantedBytes;
    grantedBytes = 0;
    return share.leaseGranted(leased);
  }

  /** What the last lease that was not there would have taken. */
  public int neededBytes() {
    return neededBytes;
  }

  /** Gives back what was not used. */
  @Override
  public void close() {
    if (grantedBytes > 0) {
      int unused = grantedBytes;
      grantedBytes = 0;
      share.giveBack(unused);
    }
  }
}
