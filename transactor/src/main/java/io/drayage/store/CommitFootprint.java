package io.drayage.store;

import java.util.Map;

/**
 * The rows that one commit touched.
 *
 * @param timestamp of the snapshot that the commit made
 * @param tables by name, those that the commit changed
 */
record CommitFootprint(long timestamp, Map<String, TableFootprint> tables) {
  private static final long OVERHEAD_BYTES = 512;

  /** About how much memory it takes. */
  long bytes() {
    return OVERHEAD_BYTES + tables.values().stream().mapToLong(TableFootprint::bytes).sum();
  }
}
