package io.drayage.bench.cargoes;

import io.drayage.store.column.ColumnSchema;
import io.drayage.store.column.TableSchema;
import java.util.List;

/**
 * A table before the cargo is committed.
 *
 * @param schema its name and columns; the cargo inserts the columns in this order
 * @param rowCount how many rows it has; the cargo updates and deletes rows below that number
 */
public record BaseTable(TableSchema schema, long rowCount) {
  public BaseTable {
    if (rowCount < 0) {
      throw new IllegalArgumentException(
          "table '%s' cannot have %,d rows".formatted(schema.name(), rowCount));
    }
  }

  /** The table's name, as the cargo calls it. */
  public String name() {
    return schema.name();
  }

  /** The columns, in the order in which the cargo inserts them. */
  public List<ColumnSchema> columns() {
    return schema.columns();
  }
}
