package io.drayage.store.column;

/**
 * The current page of a reader or writer that walks over row ids. Not thread-safe.
 *
 * <p>Row ids mostly ascend, so that runs of them lie in one page: see {@link #runEnd}.
 */
public final class PageCursor {
  private final StoredColumn column;
  private int extentIndex;
  private int page;
  private long firstRow;
  private long endRow;

  /** A cursor that begins at the first row of a column. */
  public PageCursor(StoredColumn column) {
    this.column = column;
  }

  /**
   * Moves to the page of {@code row}.
   *
   * @throws IndexOutOfBoundsException if the column has no such row, because a check of the cargo
   *     has failed
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

  /** The end of the run of row ids in this page that begins at {@code from}. */
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

  /** The index of the page in its extent. */
  int page() {
    return page;
  }

  /** The first row of the page, as a row of the table. */
  public long firstRow() {
    return firstRow;
  }
}
