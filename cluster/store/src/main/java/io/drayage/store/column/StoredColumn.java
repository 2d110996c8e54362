package io.drayage.store.column;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column of a table in one snapshot: consecutive extents of rows. Immutable. */
public final class StoredColumn {
  /** The number of extents at the end, each smaller than a page, from which they are merged. */
  private static final int MAX_SMALL_EXTENTS = 64;

  private final ColumnSchema schema;
  private final Extent[] extents;

  /** The memory of the column; negative before the first call. Racy, benign. */
  private volatile long memoryBytes = -1;

  /**
   * @param extents in the order of their rows, without gaps
   */
  public StoredColumn(ColumnSchema schema, List<Extent> extents) {
    this.schema = schema;
    this.extents = extents.toArray(Extent[]::new);
  }

  /** A column whose rows have default values, which take no memory. */
  public static StoredColumn ofDefaults(ColumnSchema schema, long rowCount) {
    return new StoredColumn(
        schema, rowCount == 0 ? List.of() : List.of(Extent.ofDefaults(schema.type(), rowCount)));
  }

  /** The name and type of the column. */
  public ColumnSchema schema() {
    return schema;
  }

  /** The number of rows, including deleted ones. */
  public long rowCount() {
    return extents.length == 0 ? 0 : extents[extents.length - 1].endRow();
  }

  /**
   * The boxed value of a row, or null. For tests and displays.
   *
   * @throws IndexOutOfBoundsException if there is no such row; names the row and the row count
   */
  public @Nullable Object get(long row) {
    return extents[extentOf(row)].get(row);
  }

  /**
   * The rows from a row on, up to the end of its page.
   *
   * @throws IndexOutOfBoundsException if there is no such row; names the row and the row count
   */
  public PageSlice slice(long row) {
    return extents[extentOf(row)].slice(row);
  }

  /** The approximate memory of the column. */
  public long memoryBytes() {
    long known = memoryBytes;
    if (known < 0) {
      known = 0;
      for (Extent extent : extents) {
        known += extent.memoryBytes();
      }
      memoryBytes = known;
    }
    return known;
  }

  /** Whether {@link #memoryBytes} reads no text. */
  boolean isMeasured() {
    for (Extent extent : extents) {
      if (!extent.isMeasured()) {
        return false;
      }
    }
    return true;
  }

  /** The number of extents. */
  public int extentCount() {
    return extents.length;
  }

  /** An extent, by its place in the order of rows. */
  public Extent extent(int index) {
    return extents[index];
  }

  /**
   * The index of the extent with {@code row}.
   *
   * @throws IndexOutOfBoundsException if there is no such row; names the row and the row count
   */
  int extentOf(long row) {
    if (row < 0 || row >= rowCount()) {
      throw new IndexOutOfBoundsException(
          format("row %,d is outside the %,d rows of column '%s'", row, rowCount(), schema.name()));
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

  /**
   * Returns this column with more rows, which follow its last one. The new pages are not copied.
   * Pages of earlier small commits may be copied.
   */
  public StoredColumn append(Extent rows) {
    if (rows.endRow() == rows.firstRow()) {
      return this;
    }
    int small = smallAtTheEnd();
    int kept = small < MAX_SMALL_EXTENTS ? extents.length : extents.length - small;
    List<Extent> longer = new ArrayList<>(Arrays.asList(extents).subList(0, kept));
    if (kept < extents.length) {
      longer.add(merged(kept));
    }
    longer.add(rows);
    return new StoredColumn(schema, longer);
  }

  private int smallAtTheEnd() {
    int small = 0;
    while (small < extents.length && isSmall(extents[extents.length - 1 - small])) {
      small++;
    }
    return small;
  }

  private static boolean isSmall(Extent extent) {
    return extent.endRow() - extent.firstRow() < ColumnValues.DEFAULT_ROWS_PER_PAGE;
  }

  /** Merges the extents from {@code from} on, so that small commits do not accumulate. */
  private Extent merged(int from) {
    long firstRow = extents[from].firstRow();
    return Extent.adopt(new RowRange(this, firstRow, rowCount() - firstRow).copy(), firstRow);
  }

  /**
   * The rows of the last insert, as a column that shares their pages.
   *
   * @throws IllegalStateException if these are not exactly the rows of one cargo
   */
  public ColumnValues insertedFrom(long firstRow) {
    if (firstRow == rowCount()) {
      return ColumnValues.allocate(schema.type(), 0, false);
    }
    Extent last = extents[extents.length - 1];
    if (last.firstRow() != firstRow) {
      throw new IllegalStateException(
          format(
              "the last rows of column '%s' start at %,d, not at %,d",
              schema.name(), last.firstRow(), firstRow));
    }
    return last.asInserted();
  }

  /** The rows from a row on, of any inserts. Pages that cannot be shared are made on demand. */
  public ColumnValues rowsFrom(long firstRow) {
    RowRange rows = new RowRange(this, firstRow, rowCount() - firstRow);
    return ColumnValues.onDemand(
        schema.type(),
        rowCount() - firstRow,
        ColumnValues.DEFAULT_ROWS_PER_PAGE,
        rows::page,
        rows.validity());
  }

  /**
   * Returns this column with the pages that the other side has changed in its first rows. Both
   * sides began with {@code before}. Pages that only the other side has changed are shared.
   *
   * @param theirs the column of the other side
   * @param both receives the ranges of rows in pages that both sides have changed, or that differ
   *     in shape. These pages stay as they are here
   */
  public StoredColumn withPagesOf(StoredColumn theirs, StoredColumn before, List<long[]> both) {
    List<Extent> merged = new ArrayList<>(Arrays.asList(extents));
    int alike = 0;
    while (alike < Math.min(extents.length, before.extents.length)
        && alike < theirs.extents.length
        && extents[alike].isShapedAs(before.extents[alike])
        && theirs.extents[alike].isShapedAs(before.extents[alike])) {
      merged.set(
          alike, extents[alike].withPagesOf(theirs.extents[alike], before.extents[alike], both));
      alike++;
    }
    if (alike < extents.length) {
      both.add(new long[] {extents[alike].firstRow(), rowCount()});
    }
    return new StoredColumn(schema, merged);
  }

  /**
   * Returns this column with the rows of another column from {@code firstRow} on, appended after
   * its last row. The pages are shared, except those of small inserts.
   */
  public StoredColumn appendFrom(StoredColumn other, long firstRow) {
    StoredColumn longer = this;
    for (Extent extent : other.extents) {
      if (extent.endRow() > firstRow) {
        long next = longer.rowCount();
        longer =
            longer.append(
                extent.firstRow() >= firstRow
                    ? extent.movedTo(next)
                    // A merged extent begins before firstRow.
                    : Extent.adopt(
                        new RowRange(other, firstRow, extent.endRow() - firstRow).copy(), next));
      }
    }
    return longer;
  }
}
