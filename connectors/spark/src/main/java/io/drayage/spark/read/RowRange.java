package io.drayage.spark.read;

import io.drayage.cargo.ColumnValues;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A part of the rows of a table: whole pages, about as many as each other part has. How many rows
 * there are is known where they are read.
 *
 * @param part which one, from 0 on
 * @param count how many parts there are
 */
record RowRange(int part, int count) implements InputPartition {
  private static final long serialVersionUID = 1;

  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** A part is not larger, so that there is something to balance. */
  private static final long MAX_BYTES = 64L << 20;

  /** A smaller part is not worth a task. */
  private static final long MIN_BYTES = 1L << 20;

  private static final int MAX_PARTS = 100_000;

  /**
   * How many parts there should be.
   *
   * @param rows about how many there are
   * @param bytes about what the columns that are read take
   * @param tasks how many may run at a time
   */
  static int count(long rows, long bytes, int tasks) {
    long pages = (rows + PAGE_ROWS - 1) / PAGE_ROWS;
    long forSize = (bytes + MAX_BYTES - 1) / MAX_BYTES;
    long forTasks = Math.min(tasks, bytes / MIN_BYTES);
    long count = Math.max(1, Math.max(forSize, forTasks));
    return (int) Math.min(MAX_PARTS, Math.min(pages, count));
  }

  /** The first row of this part, of a table with so many rows. */
  long firstRow(long rows) {
    return row(part, rows);
  }

  /** The row behind its last. */
  long endRow(long rows) {
    return part == count - 1 ? rows : row(part + 1, rows);
  }

  private long row(int before, long rows) {
    long pages = (rows + PAGE_ROWS - 1) / PAGE_ROWS;
    return Math.min(rows, pages * before / count * PAGE_ROWS);
  }
}
