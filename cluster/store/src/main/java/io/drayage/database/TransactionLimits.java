package io.drayage.database;

import static io.drayage.internal.Texts.format;

import java.time.Duration;

/**
 * The limits of a primary for transactions of several workers.
 *
 * @param maxOpen the number of open transactions
 * @param maxOpenOfOne the number of open transactions of one coordinator's name
 * @param maxStoredBytes the bytes of the fragments of all of them in the object store
 * @param cacheBytes the memory for decoded fragments, in addition to the database. the others are
 *     loaded at the commit
 * @param maxLease the longest lease
 */
public record TransactionLimits(
    int maxOpen, int maxOpenOfOne, long maxStoredBytes, long cacheBytes, Duration maxLease) {
  /** The shortest lease, 0.1 s: a renewal needs some time. */
  public static final Duration MIN_LEASE = Duration.ofMillis(100);

  private static final int HEAP_SHARE = 16;

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public TransactionLimits {
    if (maxOpen < 0
        || maxOpenOfOne < 0
        || maxStoredBytes < 0
        || cacheBytes < 0
        || maxLease.compareTo(MIN_LEASE) < 0) {
      throw new IllegalArgumentException(
          format(
              "%,d open transactions, %,d of one, %,d bytes stored, %,d in memory and a lease of %s",
              maxOpen, maxOpenOfOne, maxStoredBytes, cacheBytes, maxLease));
    }
  }

  /** Returns a copy with another limit of the memory for fragments. */
  public TransactionLimits withCacheBytes(long bytes) {
    return new TransactionLimits(maxOpen, maxOpenOfOne, maxStoredBytes, bytes, maxLease);
  }

  /**
   * Returns the defaults: 1,000 open transactions, 100 of one name, 1 TiB of them in the store, a
   * 16th of the heap, and leases of an hour at most.
   */
  public static TransactionLimits ofHeap() {
    return new TransactionLimits(
        1_000, 100, 1L << 40, Runtime.getRuntime().maxMemory() / HEAP_SHARE, Duration.ofHours(1));
  }
}
