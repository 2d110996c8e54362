package io.drayage.bench.cargoes;

import io.drayage.store.column.ColumnSchema;
import io.drayage.store.column.TableSchema;
import java.util.List;

/**
 * A table as it is before the cargo is committed.
 *
 * @param name the table's name, as the cargo calls it
 * @param columns its columns, in the order in which the cargo inserts them
 * @param rowCount how many rows it has; the cargo updates and deletes rows below that number
 */
public record BaseTable(String name, List<BaseColumn> columns, long rowCount) {
  public BaseTable {
    columns = List.copyOf(columns);
    if (rowCount < 0) {
      throw new IllegalArgumentException(
          "table '%s' cannot have %,d rows".formatted(name, rowCount));
    }
  }

  /** The table as a store knows it. */
  public TableSchema schema() {
    return new TableSchema(
        name,
        columns.stream()
            .map(column -> new ColumnSchema(column.name(), column.type(), column.nullable()))
            .toList());
  }
}
