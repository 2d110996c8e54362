package io.drayage.store.column;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Reads the cells of one stored column at given rows into a new column. */
public final class CellReader {
  private final StoredColumn column;
  private final ColumnType type;

  public CellReader(StoredColumn column) {
    this.column = column;
    this.type = column.schema().type();
  }

  /** The values at {@code rowIds}, which must be rows of the column, in the same order. */
  public ColumnValues read(ColumnValues rowIds) {
    ColumnValues values =
        ColumnValues.allocate(type, rowIds.rowCount(), column.schema().nullable());
    IntStream.range(0, values.pageCount()).parallel().forEach(page -> fill(values, page, rowIds));
    return values;
  }

  /** A page of values is a whole number of words of validity: pages may be filled in parallel. */
  private void fill(ColumnValues values, int page, ColumnValues rowIds) {
    long from = (long) page * values.rowsPerPage();
    long to = from + values.rowsInPage(page);
    RowRuns.visit(
        column,
        rowIds,
        values,
        from,
        to,
        (cursor, ids, idFrom, count, first) -> readRun(cursor, ids, idFrom, count, values, first));
  }

  private void readRun(
      PageCursor cursor, long[] ids, int idFrom, int count, ColumnValues values, long first) {
    Extent extent = column.extent(cursor.extentIndex());
    Object stored = extent.page(cursor.page());
    Object target = values.pageForWrite(values.pageOf(first));
    int offset = values.offsetOf(first);
    if (stored != null) {
      Gather.values(type, stored, cursor.firstRow(), ids, idFrom, count, target, offset);
    } else if (target instanceof String[] texts) {
      Arrays.fill(texts, offset, offset + count, "");
    }
    RowBits validity = values.validity();
    if (validity != null && extent.hasValidity(cursor.page())) {
      markNulls(extent, cursor, ids, idFrom, count, validity, first);
    }
  }

  private static void markNulls(
      Extent extent,
      PageCursor cursor,
      long[] ids,
      int idFrom,
      int count,
      RowBits validity,
      long first) {
    for (int i = 0; i < count; i++) {
      if (extent.isNull(cursor.page(), (int) (ids[idFrom + i] - cursor.firstRow()))) {
        validity.clear(first + i);
      }
    }
  }
}
