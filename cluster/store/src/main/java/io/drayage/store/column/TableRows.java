package io.drayage.store.column;

/**
 * The rows of a table, without values.
 *
 * @param rowCount number of all rows, including deleted ones
 */
public record TableRows(long rowCount, DeletedRows deleted) {
  /** The rows of a table without any. */
  public static final TableRows NONE = new TableRows(0, DeletedRows.NONE);

  /** The number of live rows. */
  public long liveRowCount() {
    return rowCount - deleted.count();
  }
}
