package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredTable;

/**
 * Checks the row ids of one column's updates: each is a live row that the table had in the base
 * snapshot, and no row id appears twice.
 *
 * <p>Ascending row ids cannot repeat, and all lie in the table if the first and the last do: one
 * pass without branches checks them. Other row ids are marked in a bit set.
 */
final class RowIdCheck {
  private final StoredTable table;
  private final TableSince since;
  private final String column;
  private final ColumnValues rowIds;

  RowIdCheck(StoredTable table, TableSince since, ColumnUpdates updates) {
    this.table = table;
    this.since = since;
    this.column = updates.column();
    this.rowIds = updates.rowIds();
  }

  /**
   * Rejects row ids that cannot be updated.
   *
   * @return whether they ascend
   */
  boolean check() throws ShipmentException {
    boolean ascending = isAscending();
    if (!ascending || !lastIsInTable()) {
      checkEach(ascending);
    }
    if (table.deleted().count() > 0) {
      checkLive();
    }
    return ascending;
  }

  /** Whether no row id is negative and each is greater than the one before. */
  private boolean isAscending() {
    long previous = -1;
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.page(p);
      // A negative step or a negative row id sets the sign bit. The step can only wrap round to a
      // positive one if a row id is negative.
      long signs = (page[0] - previous - 1) | page[0];
      int rows = rowIds.rowsInPage(p);
      for (int i = 1; i < rows; i++) {
        signs |= (page[i] - page[i - 1] - 1) | page[i];
      }
      if (signs < 0) {
        return false;
      }
      previous = page[rows - 1];
    }
    return true;
  }

  private boolean lastIsInTable() {
    if (rowIds.rowCount() == 0) {
      return true;
    }
    long last = rowIds.rowCount() - 1;
    return ((long[]) rowIds.page(rowIds.pageOf(last)))[rowIds.offsetOf(last)] < since.baseRows();
  }

  private void checkEach(boolean ascending) throws ShipmentException {
    RowSet.Builder seen = new RowSet.Builder(false);
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.page(p);
      for (int i = 0; i < rowIds.rowsInPage(p); i++) {
        long row = page[i];
        if (row < 0 || row >= since.baseRows()) {
          throw rejection(row, format("is outside the table's %,d rows", since.baseRows()));
        }
        if (!ascending && !seen.add(row)) {
          throw rejection(row, "is updated twice");
        }
      }
    }
  }

  private void checkLive() throws ShipmentException {
    DeletedRows deleted = table.deleted();
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.page(p);
      for (int i = 0; i < rowIds.rowsInPage(p); i++) {
        if (deleted.get(page[i]) && since.wasDeleted(page[i])) {
          throw rejection(page[i], "is updated, but it is deleted");
        }
      }
    }
  }

  private ShipmentException rejection(long row, String what) {
    return Rejection.of(
        format("column '%s' of table '%s': row %,d %s", column, table.schema().name(), row, what));
  }
}
