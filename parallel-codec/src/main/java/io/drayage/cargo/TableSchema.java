package io.drayage.cargo;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A table and its columns.
 *
 * @param name unique in its store
 * @param columns at least one, in order
 */
public record TableSchema(String name, List<ColumnSchema> columns) {
  /**
   * @throws IllegalArgumentException if the name cannot be one ({@link Names}), if there is no
   *     column, or if two have the same name, naming it
   */
  public TableSchema {
    columns = List.copyOf(columns);
    Names.check("table", name);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("table '%s' has no columns".formatted(name));
    }
    Set<String> seen = new HashSet<>();
    for (ColumnSchema column : columns) {
      if (!seen.add(column.name())) {
        throw new IllegalArgumentException(
            "column '%s' appears twice in table '%s'".formatted(column.name(), name));
      }
    }
  }

  /** A table with these columns, in this order. */
  public static TableSchema of(String name, ColumnSchema... columns) {
    return new TableSchema(name, List.of(columns));
  }

  /** The index of a column; -1 if there is none of that name. */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }
}
