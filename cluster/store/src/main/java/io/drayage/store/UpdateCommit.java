package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.ColumnWriter;
import io.drayage.store.column.PageCursor;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import io.drayage.store.column.TouchedPages;
import io.drayage.store.column.ValueCheck;
import java.util.List;

/** Checks and applies the updates of one column. */
final class UpdateCommit {
  /** Updates per task: some milliseconds of work. */
  static final int UPDATES_PER_TASK = 1 << 20;

  private final StoredTable table;
  private final TableSince since;
  private final int columnIndex;
  private final StoredColumn column;
  private final ColumnUpdates updates;
  private final ColumnWriter writer;
  private boolean ascending;
  private RowSet rows = RowSet.EMPTY;
  private MemoryGrowth growth = MemoryGrowth.NONE;

  UpdateCommit(StoredTable table, TableSince since, int columnIndex, ColumnUpdates updates) {
    this.table = table;
    this.since = since;
    this.columnIndex = columnIndex;
    this.column = table.columns().get(columnIndex);
    this.updates = updates;
    this.writer = new ColumnWriter(column, updates);
  }

  /**
   * Rejects rows that cannot be updated, nulls in non-null columns, and conflicts. Must be called
   * first.
   */
  void check() throws ShipmentException {
    ascending = new RowIdCheck(table, since, updates).check();
    long firstNull = column.schema().nullable() ? -1 : ValueCheck.firstNull(updates.values());
    if (firstNull >= 0) {
      throw Rejection.of(
          format(
              "column '%s' of table '%s' must not be null, but row %,d is updated to null",
              updates.column(), table.schema().name(), rowIdAt(firstNull)));
    }
    rows = RowSet.ofRowIds(updates.rowIds(), ascending);
    since.checkUpdates(columnIndex, rows);
  }

  /** Measures the updates. Must be called after the check. */
  void measure() {
    TouchedPages pages = new TouchedPages(column, updates.values());
    rows.forEachChunk(pages::touch);
    ColumnValues values = updates.values();
    long textBytes =
        values.type().isFixedWidth() ? 0 : CargoSize.textBytes(values, 0, values.rowCount());
    growth = new MemoryGrowth(pages.newBytes() + textBytes, pages.copiedBytes());
  }

  /** The memory that the work will need, once the updates are measured. */
  MemoryGrowth growth() {
    return growth;
  }

  /** The updated rows, once checked. */
  RowSet rows() {
    return rows;
  }

  /**
   * Adds the tasks that apply the updates. Ascending row ids are split at page boundaries of the
   * store, so that no two tasks write to the same page.
   */
  void addWork(List<TaskGroup.Task> work) {
    long count = updates.rowIds().rowCount();
    long from = 0;
    if (ascending) {
      PageCursor cursor = new PageCursor(column);
      for (long at = UPDATES_PER_TASK; at < count; at += UPDATES_PER_TASK) {
        cursor.seek(rowIdAt(at));
        long cut = firstAtOrBeyond(cursor.firstRow(), from, at);
        if (cut > from) {
          addTask(work, from, cut);
          from = cut;
        }
      }
    }
    addTask(work, from, count);
  }

  private void addTask(List<TaskGroup.Task> work, long from, long to) {
    work.add(() -> writer.apply(from, to));
  }

  /** The column with the updates, once the work is done. */
  StoredColumn result() {
    return writer.toColumn();
  }

  /** The index, from {@code from} to {@code to}, of the first row id of at least {@code row}. */
  private long firstAtOrBeyond(long row, long from, long to) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (rowIdAt(middle) < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private long rowIdAt(long update) {
    ColumnValues rowIds = updates.rowIds();
    return ((long[]) rowIds.page(rowIds.pageOf(update)))[rowIds.offsetOf(update)];
  }
}
