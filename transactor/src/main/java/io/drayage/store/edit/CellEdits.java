package io.drayage.store.edit;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.store.column.ColumnSchema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The updates of one column in a transaction: a bulk update as it was passed in, overlaid by cells
 * that were updated one by one. Not thread-safe.
 */
final class CellEdits {
  private final ColumnSchema schema;
  private final RowSlots slots = new RowSlots();
  private final ValueList values;
  private @Nullable ColumnUpdates bulk;

  CellEdits(ColumnSchema schema) {
    this.schema = schema;
    this.values = new ValueList(schema.type());
  }

  void set(long row, @Nullable Object value) {
    int slot = slots.find(row);
    if (slot >= 0) {
      values.set(slot, value);
    } else {
      slots.add(row);
      values.add(value);
    }
  }

  /**
   * Adopts ascending row ids as they are if they are the first updates, else adds them one by one.
   */
  void setAll(ColumnValues rowIds, ColumnValues newValues) {
    if (bulk == null && slots.size() == 0 && isAscending(rowIds)) {
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
    return slots.find(row) >= 0 || bulkIndex(row) >= 0;
  }

  /** The new value of a contained row. */
  @Nullable Object get(long row) {
    int slot = slots.find(row);
    if (slot >= 0) {
      return values.get(slot);
    }
    ColumnUpdates below = bulk;
    return below == null ? null : below.values().get(bulkIndex(row));
  }

  /** The index of a row in the bulk; negative if it is not in it. */
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
    if (below != null) {
      return slots.size() == 0 ? below : merged(below);
    }
    long[] rows = slots.rows();
    long[] sorted = rows.clone();
    Arrays.sort(sorted);
    if (Arrays.equals(rows, sorted)) {
      return new ColumnUpdates(schema.name(), rowIds(sorted), values.toColumn());
    }
    ValueList ordered = new ValueList(schema.type());
    for (long row : sorted) {
      ordered.add(values.get(slots.find(row)));
    }
    return new ColumnUpdates(schema.name(), rowIds(sorted), ordered.toColumn());
  }

  private ColumnUpdates merged(ColumnUpdates below) {
    long[] above = slots.rows();
    Arrays.sort(above);
    ValueList rows = new ValueList(ColumnType.LONG);
    ValueList merged = new ValueList(schema.type());
    int next = 0;
    for (long i = 0; i < below.rowIds().rowCount(); i++) {
      long row = rowAt(below.rowIds(), i);
      for (; next < above.length && above[next] < row; next++) {
        rows.add(above[next]);
        merged.add(values.get(slots.find(above[next])));
      }
      boolean again = next < above.length && above[next] == row;
      rows.add(row);
      merged.add(again ? values.get(slots.find(row)) : below.values().get(i));
      next += again ? 1 : 0;
    }
    for (; next < above.length; next++) {
      rows.add(above[next]);
      merged.add(values.get(slots.find(above[next])));
    }
    return new ColumnUpdates(schema.name(), rows.toColumn(), merged.toColumn());
  }

  private static ColumnValues rowIds(long[] rows) {
    ValueList ids = new ValueList(ColumnType.LONG);
    for (long row : rows) {
      ids.add(row);
    }
    return ids.toColumn();
  }
}
