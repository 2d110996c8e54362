package io.drayage.duckdb;

import io.drayage.cargo.ColumnType;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The difference between a table's old and new rows, as queries for inserts, updates and deletes.
 * Values and keys are equal if their bits are: 0.0 is not -0.0, and null equals null.
 *
 * @param inserted the rows whose key is new, in their order
 * @param updated new values in rows whose key stays
 * @param deleted a table of the row numbers, in a column {@code row}, whose key has gone
 * @param oldRows number of old rows
 */
record RowDifference(Relation inserted, List<Updated> updated, String deleted, long oldRows) {
  /** New values of a column, and their rows, in a table with a column {@code row}. */
  record Updated(Relation.Column column, String from) {}

  RowDifference {
    updated = List.copyOf(updated);
  }

  /**
   * Compares two tables with row ids.
   *
   * @param keys the columns that identify a row
   * @throws IOException if the tables have different columns, or a key has two rows
   */
  static RowDifference of(Sql sql, Staging staging, Relation old, Relation now, List<String> keys)
      throws IOException {
    requireSameColumns(old, now);
    List<Relation.Column> found = new ArrayList<>();
    for (String key : keys) {
      found.add(
          now.columns().stream()
              .filter(column -> column.name().equals(key))
              .findFirst()
              .orElseThrow(
                  () ->
                      new TableException(
                          "--updates %s: table '%s' has no such column, only %s"
                              .formatted(key, now.table(), describe(now)))));
    }
    requireUnique(sql, found, now, "--table");
    requireUnique(sql, found, old, "--old");
    String same =
        found.stream()
            .map(key -> "%s IS NOT DISTINCT FROM %s".formatted(bits("n", key), bits("o", key)))
            .collect(Collectors.joining(" AND "));
    Relation inserted =
        Relation.of(
            sql,
            now.table(),
            staging.ofQuery(
                "SELECT n.* FROM %s n ANTI JOIN %s o ON %s ORDER BY n.rowid"
                    .formatted(now.from(), old.from(), same)));
    List<Updated> updated = new ArrayList<>();
    for (Relation.Column column : now.columns()) {
      if (!keys.contains(column.name())) {
        String from =
            staging.ofQuery(
                "SELECT o.rowid AS \"row\", n.%s FROM %s o JOIN %s n ON %s WHERE %s IS DISTINCT FROM %s ORDER BY o.rowid"
                    .formatted(
                        Sql.name(column.name()),
                        old.from(),
                        now.from(),
                        same,
                        bits("n", column),
                        bits("o", column)));
        if (sql.number("SELECT count(*) FROM " + from) > 0) {
          updated.add(new Updated(column, from));
        }
      }
    }
    String deleted =
        staging.ofQuery(
            "SELECT o.rowid AS \"row\" FROM %s o ANTI JOIN %s n ON %s ORDER BY o.rowid"
                .formatted(old.from(), now.from(), same));
    return new RowDifference(
        inserted, updated, deleted, sql.number("SELECT count(*) FROM " + old.from()));
  }

  /** Returns a value for comparisons: SQL calls all NaNs equal, and 0.0 equal to -0.0. */
  private static String bits(String table, Relation.Column column) {
    String name = table + "." + Sql.name(column.name());
    ColumnType type = column.type().type();
    return type == ColumnType.DOUBLE || type == ColumnType.FLOAT
        ? "CAST(%s AS BIT)".formatted(name)
        : name;
  }

  private static void requireSameColumns(Relation old, Relation now) throws TableException {
    Map<String, String> before = types(old);
    Map<String, String> after = types(now);
    if (!before.keySet().equals(after.keySet())) {
      throw new TableException(
          "table '%s': --old has the columns %s, not %s as --table"
              .formatted(now.table(), describe(old), describe(now)));
    }
    for (Relation.Column column : now.columns()) {
      String type = before.get(column.name());
      if (!column.type().name().equals(type)) {
        throw new TableException(
            "table '%s', column '%s': %s in --old is %s in --table: --types '%s=%s' makes both one type"
                .formatted(
                    now.table(),
                    column.name(),
                    type,
                    column.type().name(),
                    column.name(),
                    "VARCHAR".equals(type) ? type : column.type().name()));
      }
    }
  }

  private static Map<String, String> types(Relation relation) {
    Map<String, String> types = new HashMap<>();
    relation.columns().forEach(column -> types.put(column.name(), column.type().name()));
    return types;
  }

  private static String describe(Relation relation) {
    return relation.columns().stream()
        .map(column -> column.name() + " " + column.type().name())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static void requireUnique(
      Sql sql, List<Relation.Column> keys, Relation relation, String option) throws IOException {
    String names =
        keys.stream()
            .map(key -> "any_value(r.%s)".formatted(Sql.name(key.name())))
            .collect(Collectors.joining(", "));
    String bits = keys.stream().map(key -> bits("r", key)).collect(Collectors.joining(", "));
    List<List<String>> twice =
        sql.rows(
            "SELECT %s, count(*) FROM %s r GROUP BY %s HAVING count(*) > 1 LIMIT 1"
                .formatted(names, relation.from(), bits));
    if (!twice.isEmpty()) {
      List<String> row = twice.get(0);
      throw new TableException(
          "%s of '%s': rows are identified by %s, but %s has %s"
              .formatted(
                  option,
                  relation.table(),
                  keys.stream().map(key -> Sql.name(key.name())).collect(Collectors.joining(", ")),
                  row.subList(0, row.size() - 1).stream().map(Sql::shown).toList(),
                  Counted.of(Long.parseLong(row.get(row.size() - 1)), "row")));
    }
  }
}
