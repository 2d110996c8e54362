package io.drayage.cargo;

import java.io.Serial;
import java.io.Serializable;

/**
 * The values that the inserted rows of a table have in one column.
 *
 * @param column the column's name
 * @param values one value for each inserted row
 */
public record InsertedColumn(String column, ColumnValues values) implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  public InsertedColumn {
    Names.check("column", column);
  }
}
