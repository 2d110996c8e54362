package io.drayage.transactor;

import io.drayage.cargo.ColumnValues;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table in one snapshot: extents of rows, one behind the other. Immutable, for any
 * thread.
 */
public final class StoredColumn {
  private final ColumnSchema schema;
  private final Extent[] extents;

  StoredColumn(ColumnSchema schema, List<Extent> extents) {
    this.schema = schema;
    this.extents = extents.toArray(Extent[]::new);
  }

  static StoredColumn ofDefaults(ColumnSchema schema, long rowCount) {
    return new StoredColumn(
        schema, rowCount == 0 ? List.of() : List.of(Extent.ofDefaults(schema.type(), rowCount)));
  }

  public ColumnSchema schema() {
    return schema;
  }

  /** All rows, deleted ones included. */
  public long rowCount() {
    return extents.length == 0 ? 0 : extents[extents.length - 1].endRow();
  }

  /**
   * The boxed value of a row, or null. For tests and displays.
   *
   * @throws IndexOutOfBoundsException if there is no such row, naming it and the row count
   */
  public @Nullable Object get(long row) {
    return extents[extentOf(row)].get(row);
  }

  int extentCount() {
    return extents.length;
  }

  Extent extent(int index) {
    return extents[index];
  }

  /**
   * The extent that holds {@code row}.
   *
   * @throws IndexOutOfBoundsException if there is no such row, naming it and the row count
   */
  int extentOf(long row) {
    if (row < 0 || row >= rowCount()) {
      throw new IndexOutOfBoundsException(
          "row %,d is outside the %,d rows of column '%s'"
              .formatted(row, rowCount(), schema.name()));
    }
    int low = 0;
    int high = extents.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (extents[middle].firstRow() <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** This column with the rows of {@code values} behind its own; their pages are not copied. */
  StoredColumn append(ColumnValues values) {
    if (values.rowCount() == 0) {
      return this;
    }
    Extent[] longer = Arrays.copyOf(extents, extents.length + 1);
    longer[extents.length] = Extent.adopt(values, rowCount());
    return new StoredColumn(schema, List.of(longer));
  }

  /**
   * The rows that one cargo inserted, which must be the last, as a column that shares their pages.
   *
   * @throws IllegalStateException if the rows from {@code firstRow} on are not exactly one cargo's
   */
  ColumnValues insertedFrom(long firstRow) {
    if (firstRow == rowCount()) {
      return ColumnValues.allocate(schema.type(), 0, false);
    }
    Extent last = extents[extents.length - 1];
    if (last.firstRow() != firstRow) {
      throw new IllegalStateException(
          "the last rows of column '%s' start at %,d, not at %,d"
              .formatted(schema.name(), last.firstRow(), firstRow));
    }
    return last.asInserted();
  }
}
