package io.drayage.store;

import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import io.drayage.store.rows.RowSet;
import java.util.ArrayList;
import java.util.List;

/**
 * What a transaction and others have made of the same table, as one. A page that one side has
 * changed is taken as it is; only cells of pages that both have changed are written again. So the
 * end of a large transaction, while nobody else can commit, costs what others did meanwhile.
 */
final class TableMerge {
  private final TableFootprint touched;
  private final StoredTable before;
  private final StoredTable now;
  private final StoredTable own;
  private final List<StoredColumn> columns = new ArrayList<>();
  private final List<RowSet> again = new ArrayList<>();

  /**
   * @param touched by the transaction; nothing of it is in conflict with what others did
   * @param before what both began with
   * @param now what others have made of it
   * @param own what the transaction has made of it
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

  /** What others have made of it, with the pages that the transaction alone has changed. */
  StoredTable table() {
    return new StoredTable(now.schema(), now.rowCount(), now.deleted(), columns);
  }

  /** The cells of the transaction that this table lacks. */
  TableFootprint again() {
    return new TableFootprint(now.rowCount(), again, RowSet.EMPTY);
  }

  /**
   * All of it, with what the transaction has deleted and inserted.
   *
   * @param written the {@link #table} with the cells that it lacked
   */
  StoredTable result(StoredTable written) {
    List<StoredColumn> longer = new ArrayList<>();
    for (int c = 0; c < own.columns().size(); c++) {
      StoredColumn column = written.columns().get(c);
      longer.add(column.appendFrom(own.columns().get(c), before.rowCount()));
    }
    return new StoredTable(
        now.schema(),
        now.rowCount() + own.rowCount() - before.rowCount(),
        now.deleted().plus(touched.deleted().bits(before.rowCount())),
        longer);
  }
}
