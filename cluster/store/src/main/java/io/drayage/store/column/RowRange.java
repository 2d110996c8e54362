package io.drayage.store.column;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import org.jspecify.annotations.Nullable;

/** Consecutive rows of a stored column, across extents, as a column. All must be rows of it. */
record RowRange(StoredColumn column, long firstRow, long rowCount) {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** A copy of the rows. */
  ColumnValues copy() {
    int pageCount = (int) ((rowCount + PAGE_ROWS - 1) / PAGE_ROWS);
    Object[] pages = Pages.table(column.schema().type(), pageCount);
    for (int p = 0; p < pageCount; p++) {
      pages[p] = copyOf(p);
    }
    return ColumnValues.of(pages, rowCount, validity());
  }

  /** A page of the rows, for reading: the column's own page, if it has the same rows. */
  Object page(int page) {
    long row = firstRow + (long) page * PAGE_ROWS;
    Extent extent = column.extent(column.extentOf(row));
    int own = extent.pageOf(row);
    Object stored = extent.page(own);
    int rows = (int) Math.min(PAGE_ROWS, firstRow + rowCount - row);
    return stored != null && extent.firstRowOf(own) == row && extent.rowsInPage(own) == rows
        ? stored
        : copyOf(page);
  }

  /** A copy of a page of the rows. */
  Object copyOf(int page) {
    long row = firstRow + (long) page * PAGE_ROWS;
    int rows = (int) Math.min(PAGE_ROWS, firstRow + rowCount - row);
    ColumnType type = column.schema().type();
    Object copy = type.newPage(rows);
    PageCursor cursor = new PageCursor(column);
    int filled = 0;
    while (filled < rows) {
      cursor.seek(row + filled);
      Extent extent = column.extent(cursor.extentIndex());
      int offset = (int) (row + filled - cursor.firstRow());
      int count = Math.min(rows - filled, extent.rowsInPage(cursor.page()) - offset);
      Object stored = extent.page(cursor.page());
      if (stored != null) {
        type.copy(stored, offset, copy, filled, count);
      }
      filled += count;
    }
    // Texts of small commits are copied into one run, to keep the number of runs low.
    return copy instanceof TextPage texts ? TextPage.joined(texts.runs(0, rows)) : copy;
  }

  /** The validity bits of the rows; null if none is null. */
  @Nullable RowBits validity() {
    if (rowCount == 0) {
      return null;
    }
    RowBits bits = null;
    for (int e = column.extentOf(firstRow); e < column.extentCount(); e++) {
      Extent extent = column.extent(e);
      for (int p = 0; p < extent.pageCount(); p++) {
        if (extent.hasValidity(p)) {
          bits = bits == null ? RowBits.allSet(rowCount) : bits;
          clearNulls(extent, p, bits);
        }
      }
    }
    return bits;
  }

  private void clearNulls(Extent extent, int page, RowBits bits) {
    long row = extent.firstRowOf(page) - firstRow;
    for (int i = 0; i < extent.rowsInPage(page); i++) {
      if (row + i >= 0 && row + i < rowCount && extent.isNull(page, i)) {
        bits.clear(row + i);
      }
    }
  }
}
