package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.lang.reflect.Array;
import java.util.function.LongConsumer;

/**
 * A column in the making, in pages that are all allocated whole, as the study's database seems to
 * do: the last one has spare room behind its rows.
 *
 * <p>Different pages may be made by different threads.
 */
final class WholePages {
  private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final Class<?> valueClass;
  private final long rows;
  private final Object[] pages;

  WholePages(ColumnType type, long rows) {
    this.valueClass = type.pageClass().getComponentType();
    this.rows = rows;
    this.pages = (Object[]) Array.newInstance(type.pageClass(), count(rows));
  }

  /** Pages of a column of {@code rows}. */
  static int count(long rows) {
    return (int) ((rows + ROWS_PER_PAGE - 1) / ROWS_PER_PAGE);
  }

  /** What a column of {@code rows} takes on the heap. */
  static long heapBytes(ColumnType type, long rows) {
    return (long) count(rows) * ROWS_PER_PAGE * type.widthBytes();
  }

  /** Rows in page {@code page} of a column of {@code rows}. */
  static int rowsIn(int page, long rows) {
    return (int) Math.min(ROWS_PER_PAGE, rows - (long) page * ROWS_PER_PAGE);
  }

  /** Makes page {@code page}, all zeros. */
  Object make(int page) {
    Object made = Array.newInstance(valueClass, ROWS_PER_PAGE);
    pages[page] = made;
    return made;
  }

  /** Fills the rows of a page of zeros. Thread-safe. */
  @FunctionalInterface
  interface Filler {
    void fill(Object values, int page);
  }

  /**
   * A column whose pages are made on demand, the last one whole as well.
   *
   * @param madeBytes hears of the raw bytes of each page
   */
  static ColumnValues onDemand(ColumnType type, long rows, Filler filler, LongConsumer madeBytes) {
    return ColumnValues.onDemand(
        type,
        rows,
        ROWS_PER_PAGE,
        page -> {
          Object values = Array.newInstance(type.pageClass().getComponentType(), ROWS_PER_PAGE);
          filler.fill(values, page);
          madeBytes.accept((long) rowsIn(page, rows) * type.widthBytes());
          return values;
        });
  }

  /** The column, once every page is made and filled. */
  ColumnValues toColumn() {
    return ColumnValues.of(pages, rows, null);
  }
}
