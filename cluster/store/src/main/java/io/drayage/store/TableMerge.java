package io.drayage.store;

import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges the changes of a transaction and of others in the same table. A page that only one side
 * has changed is shared. Only cells of pages that both sides have changed are written again. So the
 * end of a large transaction, which blocks other commits, costs what others changed meanwhile.
 */
final class TableMerge {
  private final TableFootprint touched;
  private final StoredTable before;
  private final StoredTable now;
  private final StoredTable own;
  private final List<StoredColumn> columns = new ArrayList<>();
  private final List<RowSet> again = new ArrayList<>();

  /**
   * @param touched by the transaction, without conflicts with the changes of others
   * @param before the table before both changes
   * @param now the table with the changes of others
   * @param own the table with the changes of the transaction
   */
  TableMerge(TableFootprint touched, StoredTable before, StoredTable now, StoredTable own) {
    this.touched = touched;
    this.before = before;
    this.now = now;
    this.own = own;
    for (int c = 0; c < now.columns().size(); c++) {
      List<long[]> both = new ArrayList<>();
      columns.add(
          now.columns().get(c).withPagesOf(own.columns().get(c), before.columns().get(c), both));
      again.add(touched.updated().get(c).within(both));
    }
  }

  /** The table with the changes of others, and the pages that only the transaction has changed. */
  StoredTable table() {
    return now.with(now.rowCount(), now.deleted(), columns);
  }

  /** The cells of the transaction that this table lacks. */
  TableFootprint again() {
    return new TableFootprint(now.rowCount(), again, RowSet.EMPTY);
  }

  /**
   * The table with all changes, including the rows that the transaction has deleted and inserted.
   *
   * @param written the {@link #table} with the missing cells
   */
  StoredTable result(StoredTable written) {
    List<StoredColumn> longer = new ArrayList<>();
    for (int c = 0; c < own.columns().size(); c++) {
      StoredColumn column = written.columns().get(c);
      longer.add(column.appendFrom(own.columns().get(c), before.rowCount()));
    }
    return now.with(
        now.rowCount() + own.rowCount() - before.rowCount(),
        now.deleted().plus(touched.deleted().bits(before.rowCount())),
        longer);
  }
}
