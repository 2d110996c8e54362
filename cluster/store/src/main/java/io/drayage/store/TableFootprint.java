package io.drayage.store;

import java.util.ArrayList;
import java.util.List;

/**
 * The rows of one table that one commit touched.
 *
 * @param rowsBefore the table's row count before the commit
 * @param updated the updated rows of each column of the table, in the order of the schema
 * @param deleted the deleted rows
 */
record TableFootprint(long rowsBefore, List<RowSet> updated, RowSet deleted) {
  /** Approximate memory use. */
  long bytes() {
    return deleted.bytes() + updated.stream().mapToLong(RowSet::bytes).sum();
  }

  /** Returns the rows that this or the next commit touched. */
  TableFootprint plus(TableFootprint next) {
    List<RowSet> both = new ArrayList<>();
    for (int column = 0; column < updated.size(); column++) {
      both.add(updated.get(column).plus(next.updated.get(column)));
    }
    return new TableFootprint(rowsBefore, both, deleted.plus(next.deleted));
  }
}
