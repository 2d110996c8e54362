package io.drayage.store.column;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a column that are worth storing: pages that were written and have a live row. Page
 * {@code p} has the rows from {@code p} times {@value #PAGE_ROWS} on, whatever their extents. The
 * values of deleted rows are stored as default values.
 */
public final class LivePages {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int PAGE_WORDS = PAGE_ROWS / 64;

  private final StoredColumn column;
  private final ColumnType type;
  private final DeletedRows deleted;
  private final BitSet pages;

  /**
   * A selection that begins before the first row.
   *
   * @param deleted the rows that are left out
   */
  public LivePages(StoredColumn column, DeletedRows deleted) {
    this.column = column;
    this.type = column.schema().type();
    this.deleted = deleted;
    this.pages = written(column);
    for (int page = pages.nextSetBit(0); page >= 0; page = pages.nextSetBit(page + 1)) {
      if (deletedRows(page) == rowsInPage(page, column.rowCount())) {
        pages.clear(page);
      }
    }
  }

  private static BitSet written(StoredColumn column) {
    BitSet written = new BitSet();
    for (int e = 0; e < column.extentCount(); e++) {
      Extent extent = column.extent(e);
      for (int p = 0; p < extent.pageCount(); p++) {
        if (extent.page(p) != null) {
          long first = extent.firstRowOf(p);
          long last = first + extent.rowsInPage(p) - 1;
          written.set((int) (first / PAGE_ROWS), (int) (last / PAGE_ROWS) + 1);
        }
      }
    }
    return written;
  }

  private static int rowsInPage(int page, long rowCount) {
    return (int) Math.min(PAGE_ROWS, rowCount - (long) page * PAGE_ROWS);
  }

  private static long rowsIn(BitSet pages, long rowCount) {
    return pages.stream().mapToLong(page -> rowsInPage(page, rowCount)).sum();
  }

  private int deletedRows(int page) {
    int count = 0;
    for (int word = 0; word < PAGE_WORDS; word++) {
      count += Long.bitCount(deleted.word((long) page * PAGE_WORDS + word));
    }
    return count;
  }

  /** The numbers of the pages. Must not be changed. */
  public BitSet pages() {
    return pages;
  }

  /** The values of the pages, one page after the other; copied on demand. */
  public ColumnValues values() {
    int[] numbers = pages.stream().toArray();
    return ColumnValues.onDemand(
        type,
        rowsIn(pages, column.rowCount()),
        PAGE_ROWS,
        page -> page(numbers[page]),
        validity(numbers));
  }

  private Object page(int page) {
    if (deletedRows(page) == 0) {
      return new RowRange(column, 0, column.rowCount()).page(page);
    }
    Object copy = new RowRange(column, 0, column.rowCount()).copyOf(page);
    int[] rows =
        IntStream.range(0, rowsInPage(page, column.rowCount()))
            .filter(row -> deleted.get((long) page * PAGE_ROWS + row))
            .toArray();
    if (copy instanceof TextPage texts) {
      texts.replace(rows, rows.length, new TextPage(rows.length), 0);
      return texts;
    }
    Object defaultValue = type.newPage(1);
    for (int row : rows) {
      System.arraycopy(defaultValue, 0, copy, row, 1);
    }
    return copy;
  }

  /** The bounds of the pages, in their order. */
  public List<Bounds> bounds() {
    RowRange all = new RowRange(column, 0, column.rowCount());
    RowBits validity = all.validity();
    return pages.stream().mapToObj(page -> bounds(all, page, validity)).toList();
  }

  private Bounds bounds(RowRange all, int page, @Nullable RowBits validity) {
    int rows = rowsInPage(page, column.rowCount());
    long[] valued = new long[(rows + 63) >>> 6];
    boolean hasNull = false;
    for (int w = 0; w < valued.length; w++) {
      long word = (long) page * PAGE_WORDS + w;
      int left = rows - 64 * w;
      long live = ~deleted.word(word) & (left < 64 ? (1L << left) - 1 : -1L);
      valued[w] = validity == null ? live : live & validity.word(word);
      hasNull |= valued[w] != live;
    }
    return Bounds.of(all.page(page), valued, rows, hasNull);
  }

  /** The validity bits. Only the last page may be shorter, so every page begins with a word. */
  private @Nullable RowBits validity(int[] numbers) {
    RowBits all = new RowRange(column, 0, column.rowCount()).validity();
    if (all == null) {
      return null;
    }
    RowBits bits = RowBits.allSet(rowsIn(pages, column.rowCount()));
    for (int i = 0; i < numbers.length; i++) {
      long from = (long) numbers[i] * PAGE_WORDS;
      for (int w = 0; w < (rowsInPage(numbers[i], column.rowCount()) + 63) >>> 6; w++) {
        bits.setWord((long) i * PAGE_WORDS + w, all.word(from + w) | deleted.word(from + w));
      }
    }
    return bits;
  }

  /**
   * Returns the column with these pages, which it adopts. All other rows have default values.
   *
   * @throws IllegalArgumentException if such a column cannot have these pages
   */
  public static StoredColumn toColumn(
      ColumnSchema schema, long rowCount, BitSet pages, ColumnValues values) {
    long rows = pages.length() > pageCount(rowCount) ? -1 : rowsIn(pages, rowCount);
    if (values.type() != schema.type()
        || values.rowCount() != rows
        || values.rowsPerPage() != PAGE_ROWS
        || (!schema.nullable() && ValueCheck.firstNull(values) >= 0)) {
      throw new IllegalArgumentException(
          format(
              "%,d values of type %s in pages of %,d are not the %,d of column '%s', a %s",
              values.rowCount(), values.type(), values.rowsPerPage(), rows, schema.name(), schema));
    }
    return rowCount == 0
        ? new StoredColumn(schema, List.of())
        : new StoredColumn(schema, List.of(Extent.ofPages(rowCount, pages, values)));
  }

  private static long pageCount(long rowCount) {
    return (rowCount + PAGE_ROWS - 1) / PAGE_ROWS;
  }
}
