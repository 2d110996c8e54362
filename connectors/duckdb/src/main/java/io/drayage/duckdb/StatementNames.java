package io.drayage.duckdb;

import io.drayage.cargo.ColumnSchema;
import io.drayage.duckdb.sql.Sql;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the columns that a statement may need, by the names in DuckDB's parse tree. It may find too
 * many, but not too few.
 */
record StatementNames(Sql sql, Map<String, List<ColumnSchema>> tables) {
  private static final String TREE = "FROM json_tree(json_serialize_sql(%s)) WHERE ";

  /**
   * Parts of a statement that may mean any column of a table. ORDER BY ALL means the columns of the
   * result.
   */
  private static final String ANY_COLUMN =
      "path NOT LIKE '%.orders[%].expression' AND (key = 'columns' AND atom = 'true'"
          + " OR key IN ('type', 'ref_type') AND atom->>'$' IN ('STAR', 'NATURAL', 'POSITIONAL_REFERENCE', 'PIVOT', 'SHOW_REF'))"
          + " OR path LIKE '%.orders[%].expression.expr'";

  /** Returns the columns that may be needed, for each table that may be needed. */
  Map<String, Set<String>> of(String statement) throws IOException {
    String tree = TREE.formatted(Sql.text(statement));
    boolean isQuery =
        sql.rows("SELECT json_serialize_sql(%s)->>'error'".formatted(Sql.text(statement)))
            .equals(List.of(List.of("false")));
    boolean all =
        !isQuery || sql.number("SELECT count(*) " + tree + ANY_COLUMN) > 0 || namesRows(tree);
    Set<String> known = texts("SELECT DISTINCT atom->>'$' " + tree + "type = 'VARCHAR'");
    Map<String, Set<String>> wanted = new LinkedHashMap<>();
    tables.forEach(
        (table, columns) -> {
          String name = table.toLowerCase(Locale.ROOT);
          if (isQuery ? known.contains(name) : statement.toLowerCase(Locale.ROOT).contains(name)) {
            wanted.put(table, columns(columns, all, known));
          }
        });
    return wanted;
  }

  /** Whether the name or alias of a table is in the place of a column, and means a whole row. */
  private boolean namesRows(String tree) throws IOException {
    Set<String> ofTables = texts("SELECT atom->>'$' " + tree + "key IN ('alias', 'table_name')");
    Set<String> alone =
        texts(
            "SELECT max(atom->>'$') "
                + tree
                + "path LIKE '%.column_names' GROUP BY path HAVING count(*) = 1");
    Set<String> columns =
        tables.values().stream()
            .flatMap(List::stream)
            .map(column -> column.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    return alone.stream().anyMatch(name -> ofTables.contains(name) && !columns.contains(name));
  }

  private static Set<String> columns(List<ColumnSchema> columns, boolean all, Set<String> names) {
    return columns.stream()
        .map(ColumnSchema::name)
        .filter(name -> all || names.contains(name.toLowerCase(Locale.ROOT)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns the only column of a result, in lower case, because SQL ignores case in names. */
  private Set<String> texts(String query) throws IOException {
    return sql.rows(query).stream()
        .map(row -> row.get(0).toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }
}
