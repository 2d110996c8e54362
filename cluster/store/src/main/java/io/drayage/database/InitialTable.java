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
 * @param types what columns are beyond their type, by their names, as {@link TypesTable} has it
 */
public record InitialTable(TableSchema schema, long rows, Map<String, String> types) {
  /**
   * Takes the types in their order.
   *
   * @throws IllegalArgumentException if the table has no column of which a type is said, naming it
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

  /** One whose columns are nothing beyond their type. */
  public InitialTable(TableSchema schema, long rows) {
    this(schema, rows, Map.of());
  }
}
