package io.drayage.database;

import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A table of a new database.
 *
 * @param schema name and columns
 * @param rows number of rows, all of default values
 * @param types the further types of columns, by the names of the columns; see {@link TypesTable}
 */
public record InitialTable(TableSchema schema, long rows, Map<String, String> types) {
  /**
   * Sorts the types.
   *
   * @throws IllegalArgumentException if the table lacks a column of {@code types}; names the column
   */
  public InitialTable {
    types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
    for (String column : types.keySet()) {
      if (schema.indexOf(column) < 0) {
        throw new IllegalArgumentException(
            "table '%s' has no column '%s', which is to be %s"
                .formatted(schema.name(), column, types.get(column)));
      }
    }
  }

  /** A table whose columns have no further types. */
  public InitialTable(TableSchema schema, long rows) {
    this(schema, rows, Map.of());
  }
}
