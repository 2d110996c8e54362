package io.drayage.store;

import java.util.List;

/**
 * The rows of one table that one commit touched.
 *
 * @param rowsBefore the rows that the table had before
 * @param updated the updated rows of each column of the table, in the order of the schema
 * @param deleted the deleted rows
 */
record TableFootprint(long rowsBefore, List<RowSet> updated, RowSet deleted) {
  /** About how much memory it takes. */
  long bytes() {
    return deleted.bytes() + updated.stream().mapToLong(RowSet::bytes).sum();
  }
}
