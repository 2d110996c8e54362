package io.drayage.store;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The updates of one column in a transaction: a bulk update as it was passed in, and cells that
 * were updated one by one, which override it. Not thread-safe.
 */
final class CellEdits {
  private final ColumnSchema schema;

  /** New values by row, boxed. */
  private final TreeMap<Long, @Nullable Object> cells = new TreeMap<>();

  private @Nullable ColumnUpdates bulk;

  CellEdits(ColumnSchema schema) {
    this.schema = schema;
  }

  void set(long row, @Nullable Object value) {
    cells.put(row, value);
  }

  /** Adopts ascending row ids if they are the first updates. Otherwise adds them one by one. */
  void setAll(ColumnValues rowIds, ColumnValues newValues) {
    if (bulk == null && cells.isEmpty() && isAscending(rowIds)) {
      bulk = new ColumnUpdates(schema.name(), rowIds, newValues);
      return;
    }
    for (long i = 0; i < rowIds.rowCount(); i++) {
      set(rowAt(rowIds, i), newValues.get(i));
    }
  }

  private static boolean isAscending(ColumnValues rowIds) {
    long before = -1;
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.page(p);
      for (int i = 0; i < rowIds.rowsInPage(p); i++) {
        if (page[i] <= before) {
          return false;
        }
        before = page[i];
      }
    }
    return true;
  }

  /** Whether the cell of a row was updated. */
  boolean contains(long row) {
    return cells.containsKey(row) || bulkIndex(row) >= 0;
  }

  /** The new value of a contained row. */
  @Nullable Object get(long row) {
    ColumnUpdates below = bulk;
    return below == null || cells.containsKey(row)
        ? cells.get(row)
        : below.values().get(bulkIndex(row));
  }

  /** The index of a row in the bulk; negative if the bulk does not contain it. */
  private long bulkIndex(long row) {
    if (bulk == null) {
      return -1;
    }
    ColumnValues rowIds = bulk.rowIds();
    long low = 0;
    long high = rowIds.rowCount() - 1;
    while (low <= high) {
      long middle = (low + high) >>> 1;
      long found = rowAt(rowIds, middle);
      if (found == row) {
        return middle;
      } else if (found < row) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  private static long rowAt(ColumnValues rowIds, long index) {
    return ((long[]) rowIds.page(rowIds.pageOf(index)))[rowIds.offsetOf(index)];
  }

  /** All updates, by ascending row. No more updates may follow. */
  ColumnUpdates toUpdates() {
    ColumnUpdates below = bulk;
    if (below != null && cells.isEmpty()) {
      return below;
    }
    ValueList rows = new ValueList(ColumnType.LONG);
    ValueList values = new ValueList(schema.type());
    long next = 0;
    for (Map.Entry<Long, @Nullable Object> cell : cells.entrySet()) {
      next = addBelow(below, next, cell.getKey(), rows, values);
      if (below != null
          && next < below.rowIds().rowCount()
          && rowAt(below.rowIds(), next) == cell.getKey()) {
        next++; // A single update overrides it.
      }
      rows.add(cell.getKey());
      values.add(cell.getValue());
    }
    addBelow(below, next, Long.MAX_VALUE, rows, values);
    return new ColumnUpdates(schema.name(), rows.toColumn(), values.toColumn());
  }

  /** Adds the bulk's updates of rows before {@code end}. Returns the index of the next update. */
  private static long addBelow(
      @Nullable ColumnUpdates below, long from, long end, ValueList rows, ValueList values) {
    long next = from;
    while (below != null && next < below.rowIds().rowCount() && rowAt(below.rowIds(), next) < end) {
      rows.add(rowAt(below.rowIds(), next));
      values.add(below.values().get(next));
      next++;
    }
    return next;
  }
}
