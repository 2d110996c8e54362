package io.drayage.store;

/**
 * What a commit takes in memory, at most.
 *
 * @param addedBytes by how much the snapshot grows; what it replaces is not subtracted
 * @param copiedBytes the pages that it rewrites: as long as an earlier snapshot is needed, they
 *     exist twice
 */
record MemoryGrowth(long addedBytes, long copiedBytes) {
  static final MemoryGrowth NONE = new MemoryGrowth(0, 0);

  MemoryGrowth plus(MemoryGrowth other) {
    return new MemoryGrowth(addedBytes + other.addedBytes, copiedBytes + other.copiedBytes);
  }
}
