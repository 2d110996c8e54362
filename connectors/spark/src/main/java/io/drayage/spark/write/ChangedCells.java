package io.drayage.spark.write;

import io.drayage.cargo.ChangeCargo;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The cells of updated rows that differ from the base. Spark passes whole rows, with many unchanged
 * columns. Equal cells are not sent, and do not conflict with other transactions. Not thread-safe.
 */
final class ChangedCells {
  /** Bits of an index in a batch. */
  private static final int INDEX_BITS = Integer.numberOfTrailingZeros(RowBatch.ROWS);

  private final RowBatch batch;
  private final List<Column> columns = new ArrayList<>();

  /** The number of each row of the batch, and its index. Sorted keys make comparing fast. */
  private final long[] keys = new long[RowBatch.ROWS];

  private final long[] ids = new long[RowBatch.ROWS];
  private final UnsafeRow[] ordered = new UnsafeRow[RowBatch.ROWS];
  private final int[] selected = new int[RowBatch.ROWS];
  private final UnsafeRow[] changed = new UnsafeRow[RowBatch.ROWS];

  private record Column(BaseColumn base, RowIds ids, ColumnPages values) {}

  /**
   * @param base the table with all columns
   */
  ChangedCells(TaskTable table, StoredTable base) {
    this.batch = new RowBatch(table.row());
    for (int i = 0; i < table.columns().size(); i++) {
      TaskColumn column = table.columns().get(i);
      int ordinal = table.ordinals().get(i);
      columns.add(
          new Column(
              new BaseColumn(base.column(column.name()), ordinal),
              new RowIds(),
              ColumnPages.of(column, ordinal)));
    }
  }

  /**
   * Adds the new values of a row; the row object may change afterwards.
   *
   * @param row its number in the base
   * @return whether the caller has to {@link #compare}
   */
  boolean add(long row, InternalRow values) {
    keys[batch.count()] = row << INDEX_BITS | batch.count();
    batch.add(values);
    return batch.isFull();
  }

  /** Keeps the cells of the added rows that differ. */
  void compare() {
    int count = batch.count();
    Arrays.sort(keys, 0, count);
    for (int i = 0; i < count; i++) {
      ids[i] = keys[i] >>> INDEX_BITS;
      ordered[i] = batch.rows()[(int) keys[i] & (RowBatch.ROWS - 1)];
    }
    columns.forEach(column -> compare(column, count));
    batch.clear();
  }

  private void compare(Column column, int count) {
    int found = column.base.select(ordered, ids, count, selected);
    for (int i = 0; i < found; i++) {
      changed[i] = ordered[selected[i]];
      column.ids.add(ids[selected[i]]);
    }
    column.values.append(changed, found);
  }

  /** Returns the raw bytes of the kept cells. */
  long bytes() {
    return columns.stream().mapToLong(each -> each.ids.bytes() + each.values.bytes()).sum();
  }

  /** Whether no cell is kept. */
  boolean isEmpty() {
    return columns.stream().allMatch(each -> each.ids.isEmpty());
  }

  /** Moves the kept cells into a cargo. */
  void addTo(ChangeCargo.TableChangesBuilder changes) {
    for (Column column : columns) {
      if (!column.ids.isEmpty()) {
        changes.update(column.values.name(), column.ids.take(), column.values.take());
      }
    }
  }
}
