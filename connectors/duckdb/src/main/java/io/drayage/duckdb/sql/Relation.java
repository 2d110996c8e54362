package io.drayage.duckdb.sql;

import static io.drayage.internal.Texts.format;

import io.drayage.duckdb.file.SqlNames;
import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What DuckDB can read a table from.
 *
 * @param table its name in the cargo
 * @param from what stands behind FROM
 * @param columns in their order
 */
public record Relation(String table, String from, List<Column> columns) {
  /** A column. */
  public record Column(String name, ValueType type) {
    /** What stands behind SELECT, so that its values travel. */
    public String projection() {
      String name = Sql.name(this.name);
      return type.castIn() == null ? name : "CAST(%s AS %s)".formatted(name, type.castIn());
    }
  }

  public Relation {
    columns = List.copyOf(columns);
  }

  /**
   * Looks for a column that cannot be read, after all at once could not: DuckDB does not say which
   * one it was, and often not why.
   *
   * @throws TableException if there is one, naming it
   */
  public void requireReadable(Sql sql) throws TableException {
    for (Column column : columns) {
      try {
        List<List<String>> unused =
            sql.rows("SELECT max(%s) FROM %s".formatted(column.projection(), from));
      } catch (IOException e) {
        throw new TableException("%s: %s".formatted(describe(column), e.getMessage()), e);
      }
    }
  }

  /** How a message names a column. */
  public String describe(Column column) {
    return "table '%s', column '%s'".formatted(table, column.name());
  }

  /** What a query returns, before it is known whether a cargo has a place for it. */
  public record Found(String name, String type) {}

  /**
   * Asks for the columns.
   *
   * @throws IOException if it cannot be read, or SQL cannot tell its columns apart
   */
  public static List<Found> columns(Sql sql, String table, String from) throws IOException {
    List<Found> columns = new ArrayList<>();
    for (List<String> row : sql.rows("DESCRIBE SELECT * FROM " + from)) {
      columns.add(new Found(row.get(0), row.get(1)));
    }
    SqlNames.requireDistinct(
        "table '%s': the columns".formatted(table), columns.stream().map(Found::name).toList());
    return columns;
  }

  /**
   * The relation.
   *
   * @throws IOException if it cannot be read, or has a type or a value that a cargo has no place
   *     for, naming column, type and row
   */
  public static Relation of(Sql sql, String table, String from) throws IOException {
    List<Column> columns = new ArrayList<>();
    for (Found found : columns(sql, table, from)) {
      ValueType type = ValueType.described(found.type());
      if (type == null) {
        throw new TableException(
            "table '%s', column '%s': a cargo has no place for %s%s: cast it with --types '%s=TYPE' or --select"
                .formatted(
                    table,
                    found.name(),
                    found.type(),
                    found.type().startsWith("DECIMAL(")
                        ? ", only for up to " + Counted.of(ValueType.MAX_DIGITS, "decimal")
                        : "",
                    found.name()));
      }
      columns.add(new Column(found.name(), type));
    }
    Relation relation = new Relation(table, from, columns);
    relation.requireFits(sql);
    return relation;
  }

  /** Of wider types a cargo takes the values that it has a place for. */
  private void requireFits(Sql sql) throws IOException {
    List<Column> wider = columns.stream().filter(column -> column.type().isWider()).toList();
    if (wider.isEmpty()) {
      return;
    }
    String misfits =
        wider.stream()
            .map(column -> "count_if(%s)".formatted(misfit(column)))
            .collect(Collectors.joining(", "));
    List<String> counts = sql.rows("SELECT %s FROM %s".formatted(misfits, from)).get(0);
    for (int i = 0; i < wider.size(); i++) {
      if (!counts.get(i).equals("0")) {
        Column column = wider.get(i);
        throw new TableException(
            "table '%s', %s, column '%s': a cargo has no place for %s of %s: it takes up to %s"
                .formatted(
                    table,
                    row(sql, from, misfit(column)),
                    column.name(),
                    value(sql, from, column.name(), misfit(column)),
                    column.type().name(),
                    column.type().castIn()));
      }
    }
  }

  private static String misfit(Column column) {
    String name = Sql.name(column.name());
    return "%s IS NOT NULL AND TRY_CAST(%s AS %s) IS NULL"
        .formatted(name, name, column.type().castIn());
  }

  /** The first row for which a condition holds, as a message names it: {@code row 7}. */
  public static String row(Sql sql, String from, String condition) throws IOException {
    return format(
        "row %,d",
        sql.number(
            "SELECT min(\"row number\") FROM (SELECT row_number() OVER () AS \"row number\", * FROM %s) WHERE %s"
                .formatted(from, condition)));
  }

  /** The value of a column in the first row for which a condition holds. */
  public static String value(Sql sql, String from, String column, String condition)
      throws IOException {
    return sql.rows(
            "SELECT CAST(%s AS VARCHAR) FROM %s WHERE %s LIMIT 1"
                .formatted(Sql.name(column), from, condition))
        .get(0)
        .get(0);
  }
}
