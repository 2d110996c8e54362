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

  /** Clear where a value is null. */
  private final RowBits validity;

  /** Grows up to the capacity. */
  private ColumnValues values;

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
    this(type, firstRow, capacity, capacity, expectedTextBytes);
  }

  /**
   * The same, beginning with room for fewer rows.
   *
   * @param room for so many rows at first
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
   * Appends {@code count} values of a vector from {@code from} on, copied; a null as 0 or the empty
   * text.
   *
   * @throws IllegalArgumentException if they are of another type, or a decimal of too many digits
   * @throws IndexOutOfBoundsException if there is no space for so many, or the vector has fewer
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

  /** How many rows it has. */
  public int rows() {
    return rows;
  }

  /** How many bytes its texts have, those of the last 2 GiB if they are more; 0 if it has none. */
  public int textBytes() {
    return texts == null ? 0 : texts.byteCount();
  }

  /**
   * The page, of as many elements as it has rows. Not copied if it is full.
   *
   * @throws IllegalTextException if a text is no UTF-8, naming column and row
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

  /** Which of as many rows as it may have are not null. */
  RowBits validity() {
    return validity;
  }
}
