package io.drayage.store.column;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The non-null pages of an extent, as updates of its rows. */
public final class WrittenPages {
  private final Extent extent;
  private final int rowsPerPage;

  /** The non-null pages, ascending. */
  private final int[] pages;

  private final long rowCount;

  /** Of the extent from row 0 to {@code endRow}. */
  public WrittenPages(Extent extent, long endRow) {
    this.extent = extent;
    this.rowsPerPage = extent.rowsPerPage();
    this.pages =
        IntStream.range(0, extent.pageCount())
            .filter(page -> extent.page(page) != null && extent.firstRowOf(page) < endRow)
            .toArray();
    this.rowCount = IntStream.of(pages).mapToLong(extent::rowsInPage).sum();
  }

  public long rowCount() {
    return rowCount;
  }

  public ColumnValues rowIds() {
    return ColumnValues.onDemand(ColumnType.LONG, rowCount, rowsPerPage, this::rowIdsOf);
  }

  private long[] rowIdsOf(int page) {
    long[] ids = new long[extent.rowsInPage(pages[page])];
    long firstRow = extent.firstRowOf(pages[page]);
    for (int i = 0; i < ids.length; i++) {
      ids[i] = firstRow + i;
    }
    return ids;
  }

  public ColumnValues values() {
    return ColumnValues.onDemand(
        extent.type(), rowCount, rowsPerPage, page -> valuesOf(pages[page]), validity());
  }

  private Object valuesOf(int page) {
    Object values = extent.page(page);
    if (values == null) {
      throw new IllegalStateException("page %,d is null".formatted(page));
    }
    return values;
  }

  private @Nullable RowBits validity() {
    if (!extent.type().isFixedWidth() || IntStream.of(pages).noneMatch(extent::hasValidity)) {
      return null;
    }
    RowBits bits = RowBits.allSet(rowCount);
    long row = 0;
    for (int page : pages) {
      for (int i = 0; i < extent.rowsInPage(page); i++, row++) {
        if (extent.hasValidity(page) && extent.isNull(page, i)) {
          bits.clear(row);
        }
      }
    }
    return bits;
  }
}
