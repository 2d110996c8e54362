package io.drayage.store.column;

import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the next version of a column: applies checked updates, and copies touched pages.
 *
 * <p>Threads may apply different ranges of the updates concurrently if no page is in two ranges.
 */
public final class ColumnWriter {
  private final StoredColumn base;
  private final ColumnUpdates updates;
  private final @Nullable RowBits nulls;

  /** The writers by extent, created when an extent is first touched. Guarded by this. */
  private final Extent.@Nullable Writer[] writers;

  /**
   * @param base is not changed
   * @param updates of its rows, in ascending order
   */
  public ColumnWriter(StoredColumn base, ColumnUpdates updates) {
    this.base = base;
    this.updates = updates;
    this.nulls = Pages.nullsOf(updates.values());
    this.writers = new Extent.Writer[base.extentCount()];
  }

  /** Applies updates {@code from} to {@code to - 1}. */
  public void apply(long from, long to) {
    RowRuns run = new RowRuns(base, updates.rowIds(), updates.values(), from, to);
    while (run.next()) {
      Extent.Writer writer = writer(run.extentIndex());
      Object page = writer.pageForWrite(run.page());
      if (writer.measuresTexts()) {
        writer.addGrownTexts(run.textGrowth((TextPage) page));
      }
      run.scatter(page);
      if (nulls != null || writer.hasValidity(run.page())) {
        run.scatterValidity(nulls, writer.validityForWrite(run.page()));
      }
    }
  }

  private synchronized Extent.Writer writer(int extentIndex) {
    Extent.Writer writer = writers[extentIndex];
    if (writer == null) {
      writer = base.extent(extentIndex).new Writer();
      writers[extentIndex] = writer;
    }
    return writer;
  }

  /** The new version; nothing may be applied afterwards. */
  public synchronized StoredColumn toColumn() {
    List<Extent> extents = new ArrayList<>(writers.length);
    for (int i = 0; i < writers.length; i++) {
      Extent.Writer writer = writers[i];
      extents.add(writer == null ? base.extent(i) : writer.toExtent());
    }
    return new StoredColumn(base.schema(), extents);
  }
}
