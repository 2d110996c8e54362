package io.drayage.store;

import java.util.Map;

/**
 * The rows that one commit touched.
 *
 * @param timestamp of the snapshot that the commit created
 * @param tables the changed tables, by name
 */
record CommitFootprint(long timestamp, Map<String, TableFootprint> tables) {
  private static final long OVERHEAD_BYTES = 512;

  /** Approximate memory use. */
  long bytes() {
    return OVERHEAD_BYTES + tables.values().stream().mapToLong(TableFootprint::bytes).sum();
  }
}
