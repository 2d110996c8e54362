package io.drayage.arrow;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
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
  private final int capacity;
  private final @Nullable TextPage texts;
  private final ColumnValues values;
  private int rows;

  /**
   * An empty page.
   *
   * @param type of the column
   * @param firstRow the number of its first row in the column, for messages
   * @param capacity how many rows it will have at most, from 1 to {@link
   *     ColumnValues#DEFAULT_ROWS_PER_PAGE}
   * @param expectedTextBytes how large a buffer for texts to begin with, in bytes: {@link
   *     #textBytes()} of the page before
   */
  public VectorPage(ColumnType type, long firstRow, int capacity, int expectedTextBytes) {
    if (capacity < 1 || capacity > ColumnValues.DEFAULT_ROWS_PER_PAGE) {
      throw new IllegalArgumentException(
          "a page has 1 to %,d rows, not %,d"
              .formatted(ColumnValues.DEFAULT_ROWS_PER_PAGE, capacity));
    }
    this.capacity = capacity;
    this.texts =
        type == ColumnType.STRING ? new TextPage(firstRow, capacity, expectedTextBytes) : null;
    this.values = ColumnValues.allocate(type, capacity, true);
  }

  /**
   * Appends {@code count} values of a vector from {@code from} on, copied; a null as 0.
   *
   * @throws IllegalArgumentException if they are of another type, or a decimal of too many digits
   * @throws IndexOutOfBoundsException if there is no space for so many, or the vector has fewer
   */
  public void append(FieldVector vector, int from, int count) {
    Objects.checkFromIndexSize(rows, count, capacity);
    Objects.checkFromIndexSize(from, count, vector.getValueCount());
    if (texts == null) {
      ArrowColumns.drain(vector, from, count, values, rows);
    } else {
      ArrowColumns.requireType(vector.getField(), ColumnType.STRING);
      texts.append(vector, from, count);
    }
    rows += count;
  }

  /** How many rows it has. */
  public int rows() {
    return rows;
  }

  /** How many bytes its texts have; 0 if it has none. */
  public int textBytes() {
    return texts == null ? 0 : texts.size();
  }

  /**
   * The page: an array of the column's type with as many elements as it has rows, or {@link
   * Latin1Texts} if it has only texts in ASCII. Not copied if it is full.
   *
   * @throws IllegalArgumentException if a text is no UTF-8, naming column and row
   */
  public Object page() {
    if (texts != null) {
      return texts.page();
    }
    Object page = values.pageForWrite(0);
    if (rows == capacity) {
      return page;
    }
    Object part = Array.newInstance(page.getClass().getComponentType(), rows);
    System.arraycopy(page, 0, part, 0, rows);
    return part;
  }

  /** Which of as many rows as it has room for are not null; null if a page of texts says so. */
  @Nullable RowBits validity() {
    return values.validity();
  }
}
