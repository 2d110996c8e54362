package io.drayage.store;

import java.util.List;
import java.util.Map;

/**
 * The rows that one commit touched.
 *
 * @param timestamp of the snapshot that the commit created
 * @param tables the changed tables, by name
 * @param dropped the names of the tables that the commit dropped, before it changed any
 */
record CommitFootprint(long timestamp, Map<String, TableFootprint> tables, List<String> dropped) {
  private static final long OVERHEAD_BYTES = 512;

  /** Approximate memory use. */
  long bytes() {
    return OVERHEAD_BYTES * (1 + dropped.size())
        + tables.values().stream().mapToLong(TableFootprint::bytes).sum();
  }
}
