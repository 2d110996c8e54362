package io.drayage.duckdb;

import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Checks Parquet files that a query reads as one table. DuckDB casts the values of each file to the
 * column's type in the first file, or with {@code union_by_name} to the widest type. The cast may
 * round values without an error.
 */
record JoinedFiles(Sql sql, String table, Predicate<String> isRead) {
  /** Finds the names in a query that may match several files. */
  private static final String PATTERNS =
      "SELECT DISTINCT value->>'table_name' FROM json_tree(json_serialize_sql(%s)) WHERE type = 'OBJECT' AND (value->>'type') = 'BASE_TABLE' AND regexp_matches(value->>'table_name', '[*?[]')";

  /** Finds each function call in a query that reads Parquet, with a call that lists its files. */
  private static final String CALLS =
      "SELECT DISTINCT %s, %s FROM (SELECT json_serialize_sql('SELECT * FROM x') AS t), json_tree(json_serialize_sql(%s)) WHERE type = 'OBJECT' AND (value->>'type') = 'TABLE_FUNCTION' AND lower(value->>'$.function.function_name') IN ('read_parquet', 'parquet_scan')";

  /** The text after {@code SELECT * FROM} for a part of DuckDB's parse tree. */
  private static final String AS_SQL =
      "substr(json_deserialize_sql(replace(t::VARCHAR, (t->'$.statements[0].node.from_table')::VARCHAR, json_merge_patch(value, %s)::VARCHAR)::JSON), 15)";

  private static final String READ = "'{\"alias\": \"\", \"column_name_alias\": []}'";

  private static final String LIST =
      "json_object('alias', '', 'column_name_alias', []::JSON[], 'function', json_object('function_name', 'parquet_schema', 'qualified_name', {path: ['parquet_schema']}, 'arguments', [value->'$.function.arguments[0]']))";

  /** An option that sets the types of columns. */
  private static final Pattern SCHEMA = Pattern.compile("(?i)\\(schema = ");

  /** The type of a column without one. */
  private static final String NOTHING = "\"NULL\"";

  /**
   * Checks the files of a query.
   *
   * @param isRead whether a column may be read
   * @throws TableException if the query would change such a column's value, with file and row
   */
  static void check(Sql sql, String table, String select, Predicate<String> isRead)
      throws IOException {
    JoinedFiles files = new JoinedFiles(sql, table, isRead);
    String query = Sql.text(select);
    List<List<String>> reads = new ArrayList<>();
    for (List<String> pattern : sql.rows(PATTERNS.formatted(query))) {
      String name = Sql.text(pattern.get(0));
      reads.add(List.of("read_parquet(%s)".formatted(name), "parquet_schema(%s)".formatted(name)));
    }
    reads.addAll(sql.rows(CALLS.formatted(AS_SQL.formatted(READ), AS_SQL.formatted(LIST), query)));
    for (List<String> read : reads) {
      if (!SCHEMA.matcher(read.get(0)).find()) {
        files.check(read.get(0), read.get(1));
      }
    }
  }

  private void check(String read, String list) throws IOException {
    List<List<String>> files;
    Map<String, String> types;
    try {
      files = sql.rows("SELECT DISTINCT file_name FROM %s ORDER BY ALL".formatted(list));
      types = files.size() > 1 ? types(read) : Map.of();
    } catch (TableException e) {
      return; // The query has failed as well, or the file is not Parquet.
    }
    Map<String, Map.Entry<String, String>> made = new HashMap<>();
    types.entrySet().forEach(each -> made.put(each.getKey().toLowerCase(Locale.ROOT), each));
    for (List<String> file : types.isEmpty() ? List.<List<String>>of() : files) {
      String from = "read_parquet(%s, hive_partitioning = false)".formatted(Sql.text(file.get(0)));
      for (Map.Entry<String, String> own : types(from).entrySet()) {
        Map.Entry<String, String> column = made.get(own.getKey().toLowerCase(Locale.ROOT));
        if (column != null && isRead.test(column.getKey())) {
          check(file.get(0), from, own, column);
        }
      }
    }
  }

  private Map<String, String> types(String from) throws IOException {
    Map<String, String> types = new HashMap<>();
    for (List<String> column : sql.rows("DESCRIBE SELECT * FROM " + from)) {
      types.put(column.get(0), column.get(1));
    }
    return types;
  }

  /**
   * Checks a column of a file.
   *
   * @param own its name and type in the file
   * @param made names and types in the query
   */
  private void check(
      String file, String from, Map.Entry<String, String> own, Map.Entry<String, String> made)
      throws IOException {
    String type = made.getValue();
    if (own.getValue().equals(type) || own.getValue().equals(NOTHING) || type.equals(NOTHING)) {
      return;
    }
    String column = Sql.name(own.getKey());
    String changes =
        "%s IS NOT NULL AND CAST(TRY_CAST(TRY_CAST(%s AS %s) AS %s) AS VARCHAR) IS DISTINCT FROM CAST(%s AS VARCHAR)"
            .formatted(column, column, type, own.getValue(), column);
    long changed = sql.number("SELECT count_if(%s) FROM %s".formatted(changes, from));
    if (changed > 0) {
      throw new TableException(
          "table '%s', %s of %s, column '%s': %s is no %s, the type of this column in another file: select each file separately, with a cast, and combine them by UNION ALL"
              .formatted(
                  table,
                  Relation.row(sql, from, changes),
                  file,
                  made.getKey(),
                  Relation.value(sql, from, own.getKey(), changes),
                  type));
    }
  }
}
