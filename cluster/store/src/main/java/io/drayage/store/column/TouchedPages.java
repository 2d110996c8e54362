package io.drayage.store.column;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;

/**
 * Sums up the pages of a column that an update of some rows will write: pages that it makes, and
 * pages that it copies. The sum is never too small: a page counts if a row near it is touched. Not
 * thread-safe.
 */
public final class TouchedPages {
  private final StoredColumn column;
  private final boolean bringsNulls;
  private long newBytes;
  private long copiedBytes;

  /** The row up to which pages are counted. */
  private long countedEnd;

  /**
   * The sum before a page of the column is touched.
   *
   * @param values the new values of the rows
   */
  public TouchedPages(StoredColumn column, ColumnValues values) {
    this.column = column;
    this.bringsNulls = Pages.nullsOf(values) != null;
  }

  /** Adds the pages of a range of rows. Must be called in ascending order. */
  public void touch(long firstRow, long endRow) {
    long end = Math.min(endRow, column.rowCount());
    long row = Math.max(firstRow, countedEnd);
    if (row >= end) {
      return;
    }
    for (int e = column.extentOf(row); row < end; e++) {
      Extent extent = column.extent(e);
      for (int page = extent.pageOf(row); row < end && page < extent.pageCount(); page++) {
        add(extent, page);
        row = extent.firstRowOf(page) + extent.rowsInPage(page);
      }
    }
    countedEnd = row;
  }

  private void add(Extent extent, int page) {
    ColumnType type = extent.type();
    Object values = extent.page(page);
    if (values == null) {
      newBytes += MemorySize.ofPage(type, extent.rowsInPage(page));
    } else {
      copiedBytes += MemorySize.ofPage(type, ColumnType.rowsOf(values));
    }
    if ((bringsNulls || extent.hasValidity(page)) && extent.ownValidity(page) == null) {
      newBytes += Long.BYTES * ((extent.rowsInPage(page) + 63L) >>> 6);
    }
  }

  /** The bytes of pages, and of their validity bits, that do not exist yet. */
  public long newBytes() {
    return newBytes;
  }

  /** The bytes of pages that will be replaced. */
  public long copiedBytes() {
    return copiedBytes;
  }
}
