package io.drayage.store.column;

import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next version of a column: applies checked updates, copying the pages they touch.
 *
 * <p>Threads may apply different ranges of the updates at the same time if no page is touched by
 * two of them.
 */
public final class ColumnWriter {
  private final StoredColumn base;
  private final ColumnUpdates updates;
  private final @Nullable RowBits nulls;

  /** An extent's writer is made when the extent is first touched. Guarded by this. */
  private final @Nullable ExtentWriter[] writers;

  public ColumnWriter(StoredColumn base, ColumnUpdates updates) {
    this.base = base;
    this.updates = updates;
    this.nulls = Pages.nullsOf(updates.values());
    this.writers = new ExtentWriter[base.extentCount()];
  }

  /** Applies updates {@code from} to {@code to - 1}. */
  public void apply(long from, long to) {
    RowRuns.visit(base, updates.rowIds(), updates.values(), from, to, this::applyRun);
  }

  private void applyRun(PageCursor cursor, long[] ids, int idFrom, int count, long firstUpdate) {
    ColumnValues values = updates.values();
    ExtentWriter writer = writer(cursor.extentIndex());
    Scatter.values(
        values.type(),
        values.page(values.pageOf(firstUpdate)),
        values.offsetOf(firstUpdate),
        ids,
        idFrom,
        count,
        cursor.firstRow(),
        writer.pageForWrite(cursor.page()));
    if (nulls != null || writer.hasValidity(cursor.page())) {
      long[] validity = writer.validityForWrite(cursor.page());
      Scatter.validity(nulls, firstUpdate, ids, idFrom, count, cursor.firstRow(), validity);
    }
  }

  private synchronized ExtentWriter writer(int extentIndex) {
    ExtentWriter writer = writers[extentIndex];
    if (writer == null) {
      writer = new ExtentWriter(base.extent(extentIndex));
      writers[extentIndex] = writer;
    }
    return writer;
  }

  /** The new version; nothing may be applied afterwards. */
  public synchronized StoredColumn toColumn() {
    List<Extent> extents = new ArrayList<>(writers.length);
    for (int i = 0; i < writers.length; i++) {
      ExtentWriter writer = writers[i];
      extents.add(writer == null ? base.extent(i) : writer.toExtent());
    }
    return new StoredColumn(base.schema(), extents);
  }
}
