package io.drayage.duckdb;

import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What DuckDB can read a table from.
 *
 * @param table its name in the cargo
 * @param from what stands behind FROM
 * @param columns in their order
 */
record Relation(String table, String from, List<Column> columns) {
  /** A column. */
  record Column(String name, ValueType type) {
    /** What stands behind SELECT, so that its values travel. */
    String projection() {
      String name = Sql.name(this.name);
      return type.castIn() == null ? name : "CAST(%s AS %s)".formatted(name, type.castIn());
    }
  }

  Relation {
    columns = List.copyOf(columns);
  }

  /**
   * Asks for the columns.
   *
   * @throws IOException if it cannot be read, or has a type that a cargo has no place for
   */
  static Relation of(Sql sql, String table, String from) throws IOException {
    List<Column> columns = new ArrayList<>();
    for (List<String> row : sql.rows("DESCRIBE SELECT * FROM " + from)) {
      ValueType type = ValueType.described(row.get(1));
      if (type == null) {
        throw new TableException(
            "table '%s', column '%s': a cargo has no place for %s%s"
                .formatted(
                    table,
                    row.get(0),
                    row.get(1),
                    row.get(1).startsWith("DECIMAL(")
                        ? String.format(
                            Locale.ROOT, ", only for up to %d digits", ValueType.MAX_DIGITS)
                        : ": cast it with --select"));
      }
      columns.add(new Column(row.get(0), type));
    }
    return new Relation(table, from, columns);
  }
}
