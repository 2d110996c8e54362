package io.drayage.database;

import static io.drayage.internal.Texts.format;

import java.time.Duration;

/**
 * What transactions of several workers may take of a primary.
 *
 * @param maxOpen how many may be open
 * @param maxOpenOfOne how many of one coordinator's name
 * @param maxStoredBytes how much the fragments of all of them may take in the object store
 * @param cacheBytes how much memory may have fragments as they were decoded, beside the database:
 *     the others are loaded when they are committed
 * @param maxLease the longest lease
 */
public record TransactionLimits(
    int maxOpen, int maxOpenOfOne, long maxStoredBytes, long cacheBytes, Duration maxLease) {
  /** A tenth of a second: whoever renews a lease needs some time. */
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

  /** Sets how much memory may have fragments. */
  public TransactionLimits withCacheBytes(long bytes) {
    return new TransactionLimits(maxOpen, maxOpenOfOne, maxStoredBytes, bytes, maxLease);
  }

  /**
   * 1,000 open ones, 100 of one name, 1 TiB of them in the store, a 16th of the heap, and leases of
   * an hour at most.
   */
  public static TransactionLimits ofHeap() {
    return new TransactionLimits(
        1_000, 100, 1L << 40, Runtime.getRuntime().maxMemory() / HEAP_SHARE, Duration.ofHours(1));
  }
}
