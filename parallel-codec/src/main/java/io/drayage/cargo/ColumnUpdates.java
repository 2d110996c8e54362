package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.Serial;
import java.io.Serializable;

/**
 * The new values of some rows of one column.
 *
 * @param column the column's name
 * @param rowIds the rows, a column of longs without nulls; each at most once, best in ascending
 *     order
 * @param values the new value of each row in {@code rowIds}, in the same order
 */
public record ColumnUpdates(String column, ColumnValues rowIds, ColumnValues values)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @throws IllegalArgumentException if the row ids are not longs, or have nulls, or are not as
   *     many as the values; the message names the column
   */
  public ColumnUpdates {
    Names.check("column", column);
    if (rowIds.type() != ColumnType.LONG || rowIds.validity() != null) {
      throw new IllegalArgumentException(
          "row ids of column '%s' must be longs without nulls, not %s".formatted(column, rowIds));
    }
    if (rowIds.rowCount() != values.rowCount()) {
      throw new IllegalArgumentException(
          format(
              "column '%s' has %,d row ids for %,d values",
              column, rowIds.rowCount(), values.rowCount()));
    }
  }
}
