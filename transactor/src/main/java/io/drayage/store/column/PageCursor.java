package io.drayage.store.column;

/**
 * The page of a column on which a reader or writer of row ids stands. Not thread-safe.
 *
 * <p>Row ids mostly come in ascending order, so that many in a row lie in one page: {@link #runEnd}
 * says how many.
 */
public final class PageCursor {
  private final StoredColumn column;
  private int extentIndex;
  private int page;
  private long firstRow;
  private long endRow;

  public PageCursor(StoredColumn column) {
    this.column = column;
  }

  /**
   * Moves to the page that holds {@code row}.
   *
   * @throws IndexOutOfBoundsException if the column has no such row: whoever checked the cargo
   *     failed to
   */
  public void seek(long row) {
    Extent extent = column.extent(extentIndex);
    if (row < extent.firstRow() || row >= extent.endRow()) {
      extentIndex = column.extentOf(row);
      extent = column.extent(extentIndex);
    }
    page = extent.pageOf(row);
    firstRow = extent.firstRowOf(page);
    endRow = firstRow + extent.rowsInPage(page);
  }

  /** Behind the last of the row ids from {@code from} on that lie, without a gap, in this page. */
  int runEnd(long[] rowIds, int from, int to) {
    int i = from;
    while (i < to && rowIds[i] >= firstRow && rowIds[i] < endRow) {
      i++;
    }
    return i;
  }

  int extentIndex() {
    return extentIndex;
  }

  /** The page in its extent. */
  int page() {
    return page;
  }

  /** The row of the table that stands first in the page. */
  public long firstRow() {
    return firstRow;
  }
}
