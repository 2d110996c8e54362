package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.RowBits;
import java.lang.reflect.Array;
import java.util.Objects;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * Collects a page of a column from vectors, for a {@link io.drayage.cargo.PageSource} that reads
 * batches. Not thread-safe.
 */
public final class VectorPage {
  private final ColumnType type;
  private final int capacity;
  private final @Nullable VectorTexts texts;

  /** A bit is clear if its value is null. */
  private final RowBits validity;

  /** Grows up to the capacity. */
  private ColumnValues values;

  private int rows;

  /**
   * Creates an empty page.
   *
   * @param type of the column
   * @param firstRow the number of its first row in the column, for messages
   * @param capacity the largest number of rows, from 1 to {@link
   *     ColumnValues#DEFAULT_ROWS_PER_PAGE}
   * @param expectedTextBytes bytes of the first buffer for texts, such as {@link #textBytes()} of
   *     the last page
   */
  public VectorPage(ColumnType type, long firstRow, int capacity, int expectedTextBytes) {
    this(type, firstRow, capacity, capacity, expectedTextBytes);
  }

  /**
   * Creates an empty page with memory for fewer rows.
   *
   * @param room number of rows at first
   */
  VectorPage(ColumnType type, long firstRow, int capacity, int room, int expectedTextBytes) {
    if (capacity < 1 || capacity > ColumnValues.DEFAULT_ROWS_PER_PAGE) {
      throw new IllegalArgumentException(
          format(
              "a page has 1 to %,d rows, not %,d", ColumnValues.DEFAULT_ROWS_PER_PAGE, capacity));
    }
    this.type = type;
    this.capacity = capacity;
    this.validity = RowBits.allSet(capacity);
    this.texts =
        type == ColumnType.STRING
            ? new VectorTexts(firstRow, capacity, room, expectedTextBytes)
            : null;
    this.values = ColumnValues.allocate(type, texts == null ? room : 0, false);
  }

  /**
   * Appends {@code count} values of a vector, copied from {@code from} on; a null becomes 0 or the
   * empty text.
   *
   * @throws IllegalArgumentException if they are of another type, or a decimal is too long
   * @throws IndexOutOfBoundsException if the page is too small, or the vector has fewer values
   */
  public void append(FieldVector vector, int from, int count) {
    Objects.checkFromIndexSize(rows, count, capacity);
    Objects.checkFromIndexSize(from, count, vector.getValueCount());
    ArrowColumns.requireType(vector.getField(), type);
    if (texts == null) {
      reserve(rows + count);
      FixedVectors.drain(vector, from, count, values, rows);
    } else {
      texts.append(vector, from, count);
    }
    if (vector.getNullCount() > 0) {
      ArrowColumns.drainNulls(vector, from, count, validity, rows);
    }
    rows += count;
  }

  private void reserve(int needed) {
    if (needed > values.rowCount()) {
      int room = (int) Math.min(capacity, Math.max(needed, 2 * values.rowCount()));
      ColumnValues larger = ColumnValues.allocate(type, room, false);
      System.arraycopy(values.pageForWrite(0), 0, larger.pageForWrite(0), 0, rows);
      values = larger;
    }
  }

  /** Returns the number of rows. */
  public int rows() {
    return rows;
  }

  /** Returns the bytes of texts, in the last array if there are several; 0 for other types. */
  public int textBytes() {
    return texts == null ? 0 : texts.byteCount();
  }

  /**
   * Returns the page, with an element for each row. A full page is not copied.
   *
   * @throws IllegalTextException if a text is not UTF-8, with column and row
   */
  public Object page() {
    if (texts != null) {
      return texts.page();
    }
    Object page = values.pageForWrite(0);
    if (rows == values.rowCount()) {
      return page;
    }
    Object part = Array.newInstance(page.getClass().getComponentType(), rows);
    System.arraycopy(page, 0, part, 0, rows);
    return part;
  }

  /** Returns a bit for each row of the capacity; it is set if the value is not null. */
  RowBits validity() {
    return validity;
  }
}
