package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.lang.reflect.Array;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Columns of pages that are all allocated whole, as the study's database seems to do: the last one
 * has spare room behind its rows.
 */
final class WholePages {
  private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private WholePages() {}

  /** Fills the rows of a page of zeros. Thread-safe. */
  @FunctionalInterface
  interface Filler {
    void fill(Object values, int page);
  }

  /** Pages of a column of {@code rows}. */
  private static int count(long rows) {
    return (int) ((rows + ROWS_PER_PAGE - 1) / ROWS_PER_PAGE);
  }

  /** Heap bytes of a column of {@code rows}. */
  static long heapBytes(ColumnType type, long rows) {
    return (long) count(rows) * ROWS_PER_PAGE * type.widthBytes();
  }

  /** Rows in page {@code page} of a column of {@code rows}. */
  static int rowsIn(int page, long rows) {
    return (int) Math.min(ROWS_PER_PAGE, rows - (long) page * ROWS_PER_PAGE);
  }

  /** A column whose pages the common pool fills now. */
  static ColumnValues filled(ColumnType type, long rows, Filler filler) {
    Object[] pages = (Object[]) Array.newInstance(type.pageClass(), count(rows));
    IntStream.range(0, pages.length)
        .parallel()
        .forEach(page -> pages[page] = page(type, filler, page));
    return ColumnValues.of(pages, rows, null);
  }

  /**
   * A column whose pages are made on demand.
   *
   * @param madeBytes receives the raw bytes of each page that is made
   */
  static ColumnValues onDemand(ColumnType type, long rows, Filler filler, LongConsumer madeBytes) {
    return ColumnValues.onDemand(
        type,
        rows,
        ROWS_PER_PAGE,
        page -> {
          Object values = page(type, filler, page);
          madeBytes.accept((long) rowsIn(page, rows) * type.widthBytes());
          return values;
        });
  }

  private static Object page(ColumnType type, Filler filler, int page) {
    Object values = Array.newInstance(type.pageClass().getComponentType(), ROWS_PER_PAGE);
    filler.fill(values, page);
    return values;
  }

  /** Sets the first {@code count} values of a page of a numeric type that they fit. */
  static void set(Object page, int count, IntToDoubleFunction values) {
    if (page instanceof double[] doubles) {
      for (int i = 0; i < count; i++) {
        doubles[i] = values.applyAsDouble(i);
      }
    } else if (page instanceof long[] longs) {
      for (int i = 0; i < count; i++) {
        longs[i] = (long) values.applyAsDouble(i);
      }
    } else if (page instanceof int[] ints) {
      for (int i = 0; i < count; i++) {
        ints[i] = (int) values.applyAsDouble(i);
      }
    } else if (page instanceof short[] shorts) {
      for (int i = 0; i < count; i++) {
        shorts[i] = (short) values.applyAsDouble(i);
      }
    } else {
      byte[] bytes = (byte[]) page;
      for (int i = 0; i < count; i++) {
        bytes[i] = (byte) values.applyAsDouble(i);
      }
    }
  }
}
