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

  /** Of the page that is being filled. */
  private int rowsInPage;

  private long rows;
  private long filledTextBytes;

  /** Bits of values; null as long as there was no null. */
  private long @Nullable [] validity;

  /**
   * @param ordinal of the column in a row
   */
  ColumnPages(TaskColumn column, int ordinal) {
    this.column = column;
    this.ordinal = ordinal;
  }

  /** For a column of its type. */
  static ColumnPages of(TaskColumn column, int ordinal) {
    return column.type() == ColumnType.STRING
        ? new TextPages(column, ordinal)
        : new FixedPages(column, ordinal);
  }

  /**
   * Adds the values of some rows.
   *
   * @throws DrayageException if a value is null where none may be, naming the column
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
   * Puts values into the page that is being filled, from {@code at} on.
   *
   * @param first of the rows that they are taken from
   */
  abstract void appendValues(UnsafeRow[] from, int first, int ordinal, int count, int at);

  /** The page that was filled, of so many rows; the next one is empty. */
  abstract Object takePage(int rowsOfPage);

  /** The bytes of the texts of the page that is being filled. */
  int textBytes() {
    return 0;
  }

  private void endPage() {
    filledTextBytes += textBytes();
    pages.add(takePage(rowsInPage));
    rowsInPage = 0;
  }

  /** Raw bytes so far, about. */
  final long bytes() {
    int width =
        column.type().isFixedWidth() ? column.type().widthBytes() : CargoSize.TEXT_LENGTH_BYTES;
    return rows * width + filledTextBytes + textBytes() + (validity == null ? 0 : rows / Byte.SIZE);
  }

  final boolean isEmpty() {
    return rows == 0;
  }

  /** The column of all that was added, at least a row; empty afterwards. */
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

  /** Room for {@code needed} rows: doubled up to that of a page, so that few rows take little. */
  static int roomFor(int needed, int now) {
    int room = Math.max(now, RowBatch.ROWS);
    while (room < needed) {
      room *= 2;
    }
    return Math.min(room, ROWS_PER_PAGE);
  }
}
