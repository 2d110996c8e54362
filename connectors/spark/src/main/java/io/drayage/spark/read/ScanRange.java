package io.drayage.spark.read;

import io.drayage.cargo.ColumnValues;
import java.util.BitSet;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/**
 * A part of the rows of a table: whole pages, about as many as in each other part. The number of
 * rows is known only to the reader.
 *
 * @param part its index, from 0 on
 * @param count number of parts
 */
record ScanRange(int part, int count) implements InputPartition {
  private static final long serialVersionUID = 1;

  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** The limit of a part, so that tasks can be balanced. */
  private static final long MAX_BYTES = 64L << 20;

  /** The lower limit of a part, because a task has a cost. */
  private static final long MIN_BYTES = 1L << 20;

  private static final int MAX_PARTS = 100_000;

  /**
   * Returns the number of parts.
   *
   * @param rows approximate number of rows
   * @param bytes approximate size of the columns that are read
   * @param tasks number of tasks that may run at the same time
   */
  static int count(long rows, long bytes, int tasks) {
    long pages = (rows + PAGE_ROWS - 1) / PAGE_ROWS;
    long forSize = (bytes + MAX_BYTES - 1) / MAX_BYTES;
    long forTasks = Math.min(tasks, bytes / MIN_BYTES);
    long count = Math.max(1, Math.max(forSize, forTasks));
    return (int) Math.min(MAX_PARTS, Math.min(pages, count));
  }

  /**
   * Returns the first row of this part.
   *
   * @param rows number of rows of the table
   * @param selected the pages to read, of which each part has about as many; null for all
   */
  long firstRow(long rows, @Nullable BitSet selected) {
    return row(part, rows, selected);
  }

  /** Returns the row after its last. */
  long endRow(long rows, @Nullable BitSet selected) {
    return part == count - 1 ? rows : row(part + 1, rows, selected);
  }

  private long row(int before, long rows, @Nullable BitSet selected) {
    long pages = selected == null ? (rows + PAGE_ROWS - 1) / PAGE_ROWS : selected.cardinality();
    long page = pages * before / count;
    if (selected != null) {
      page = selected.stream().skip(page).findFirst().orElse(selected.length());
    }
    return Math.min(rows, page * PAGE_ROWS);
  }
}
