package io.drayage.spark.write;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.spark.database.DrayageException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** The values of one column of a fragment, page by page. Not thread-safe. */
abstract class ColumnPages {
  private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int WORDS_PER_BATCH = RowBatch.ROWS / Long.SIZE;

  private final TaskColumn column;
  private final int ordinal;
  private final List<Object> pages = new ArrayList<>();

  /** Rows of the current page. */
  private int rowsInPage;

  private long rows;
  private long filledTextBytes;

  /** A bit for each value; null before the first null. */
  private long @Nullable [] validity;

  /**
   * @param ordinal index of the column in a row
   */
  ColumnPages(TaskColumn column, int ordinal) {
    this.column = column;
    this.ordinal = ordinal;
  }

  /** Creates an object for a column's type. */
  static ColumnPages of(TaskColumn column, int ordinal) {
    return column.type() == ColumnType.STRING
        ? new TextPages(column, ordinal)
        : new FixedPages(column, ordinal);
  }

  /**
   * Adds the values of some rows.
   *
   * @throws DrayageException if a value is null in a column without nulls, with its name
   */
  final void append(UnsafeRow[] from, int count) {
    for (int done = 0; done < count; ) {
      if (rowsInPage == ROWS_PER_PAGE) {
        endPage();
      }
      int next = Math.min(count - done, ROWS_PER_PAGE - rowsInPage);
      addNulls(from, done, next);
      appendValues(from, done, ordinal, next, rowsInPage);
      rowsInPage += next;
      rows += next;
      done += next;
    }
  }

  private void addNulls(UnsafeRow[] from, int first, int count) {
    for (int at = 0; at < count; at += Long.SIZE) {
      int size = Math.min(count - at, Long.SIZE);
      long valid = 0;
      for (int i = 0; i < size; i++) {
        valid |= from[first + at + i].isNullAt(ordinal) ? 0 : 1L << i;
      }
      if (valid != -1L >>> (Long.SIZE - size) || validity != null) {
        setValid(rows + at, valid, size);
      }
    }
  }

  private void setValid(long row, long valid, int count) {
    if (!column.nullable() && valid != -1L >>> (Long.SIZE - count)) {
      throw new DrayageException(
          DrayageException.Condition.INVALID_ROWS,
          "column '%s' is NOT NULL, and a value is null".formatted(column.name()));
    }
    int word = (int) (row >>> 6);
    int last = (int) ((row + count - 1) >>> 6);
    long[] known = validity;
    if (known == null) {
      known = new long[Math.max(WORDS_PER_BATCH, last + 1)];
      Arrays.fill(known, 0, word, -1L);
      known[word] = ~(-1L << row);
    } else if (last >= known.length) {
      known = Arrays.copyOf(known, 2 * known.length);
    }
    known[word] |= valid << row;
    if (last > word) {
      known[last] = valid >>> -row;
    }
    validity = known;
  }

  /**
   * Adds values to the current page, from {@code at} on.
   *
   * @param first index of the first row
   */
  abstract void appendValues(UnsafeRow[] from, int first, int ordinal, int count, int at);

  /** Returns the current page of {@code rowsOfPage} rows; the next one is empty. */
  abstract Object takePage(int rowsOfPage);

  /** Returns the bytes of the texts of the current page. */
  int textBytes() {
    return 0;
  }

  private void endPage() {
    filledTextBytes += textBytes();
    pages.add(takePage(rowsInPage));
    rowsInPage = 0;
  }

  /** Returns the approximate raw bytes so far. */
  final long bytes() {
    int width =
        column.type().isFixedWidth() ? column.type().widthBytes() : CargoSize.TEXT_LENGTH_BYTES;
    return rows * width + filledTextBytes + textBytes() + (validity == null ? 0 : rows / Byte.SIZE);
  }

  final boolean isEmpty() {
    return rows == 0;
  }

  /** Returns a column of all added values, at least one row; this object is empty afterwards. */
  final ColumnValues take() {
    endPage();
    Object[] all = (Object[]) Array.newInstance(column.type().pageClass(), pages.size());
    ColumnValues values = ColumnValues.of(pages.toArray(all), rows, bits());
    pages.clear();
    rows = 0;
    filledTextBytes = 0;
    validity = null;
    return values;
  }

  private @Nullable RowBits bits() {
    long[] known = validity;
    if (known == null) {
      return null;
    }
    RowBits bits = new RowBits(rows);
    for (int word = 0; word < bits.wordCount(); word++) {
      bits.setWord(word, known[word]);
    }
    return bits;
  }

  final String name() {
    return column.name();
  }

  final ColumnType type() {
    return column.type();
  }

  /** Returns a capacity for {@code needed} rows: it doubles, up to that of a page. */
  static int roomFor(int needed, int now) {
    int room = Math.max(now, RowBatch.ROWS);
    while (room < needed) {
      room *= 2;
    }
    return Math.min(room, ROWS_PER_PAGE);
  }
}
