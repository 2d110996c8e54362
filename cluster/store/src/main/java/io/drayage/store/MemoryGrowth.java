package io.drayage.store;

/**
 * The largest memory that a commit needs.
 *
 * @param addedBytes the growth of the snapshot, without subtracting replaced data
 * @param copiedBytes the pages that it rewrites, which exist twice as long as an earlier snapshot
 *     is needed
 */
record MemoryGrowth(long addedBytes, long copiedBytes) {
  static final MemoryGrowth NONE = new MemoryGrowth(0, 0);

  MemoryGrowth plus(MemoryGrowth other) {
    return new MemoryGrowth(addedBytes + other.addedBytes, copiedBytes + other.copiedBytes);
  }
}
