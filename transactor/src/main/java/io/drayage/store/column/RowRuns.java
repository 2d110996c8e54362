package io.drayage.store.column;

import io.drayage.cargo.ColumnValues;

/**
 * Cuts row ids and the values that belong to them into runs that lie in one page on every side: of
 * the row ids, of the values, and of the stored column. A run is then one typed loop.
 */
final class RowRuns {
  /** What to do with a run. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Called for {@code count} row ids.
     *
     * @param cursor stands on the page of the stored column
     * @param ids the page of row ids, to be read from {@code idFrom} on
     * @param first the place of the first of them among all row ids and values
     */
    void visit(PageCursor cursor, long[] ids, int idFrom, int count, long first);
  }

  private RowRuns() {}

  /** Visits the runs of row ids {@code from} to {@code to - 1}, all of them rows of the column. */
  static void visit(
      StoredColumn column,
      ColumnValues rowIds,
      ColumnValues values,
      long from,
      long to,
      Visitor visitor) {
    PageCursor cursor = new PageCursor(column);
    long at = from;
    while (at < to) {
      long[] ids = (long[]) rowIds.page(rowIds.pageOf(at));
      int idFrom = rowIds.offsetOf(at);
      int untilPageEnd =
          Math.min(rowIds.rowsPerPage() - idFrom, values.rowsPerPage() - values.offsetOf(at));
      int idEnd = idFrom + (int) Math.min(to - at, untilPageEnd);
      while (idFrom < idEnd) {
        cursor.seek(ids[idFrom]);
        int runEnd = cursor.runEnd(ids, idFrom, idEnd);
        visitor.visit(cursor, ids, idFrom, runEnd - idFrom, at);
        at += runEnd - idFrom;
        idFrom = runEnd;
      }
    }
  }
}
