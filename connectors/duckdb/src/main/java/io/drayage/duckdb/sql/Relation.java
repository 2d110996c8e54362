package io.drayage.duckdb.sql;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import io.drayage.duckdb.file.SqlNames;
import io.drayage.internal.Counted;
import io.drayage.segment.SegmentPlanner;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The source of a table in DuckDB.
 *
 * @param table its name in the cargo
 * @param from the text after FROM
 * @param columns in their order
 * @param of the text after a column in messages: {@code of FILE}, or nothing
 */
public record Relation(String table, String from, List<Column> columns, String of) {
  /** The type of a Parquet column without a type. */
  private static final String NOTHING = "\"NULL\"";

  /** A column. */
  public record Column(String name, ValueType type) {
    /** Returns the expression after SELECT that makes the values readable by Arrow. */
    public String projection() {
      String name = Sql.name(this.name);
      return type.castIn() == null ? name : "CAST(%s AS %s)".formatted(name, type.castIn());
    }
  }

  public Relation {
    columns = List.copyOf(columns);
  }

  /**
   * Looks for a column that cannot be read, after a query for all columns has failed. DuckDB does
   * not name the column, and often not the reason.
   *
   * @throws TableException if there is such a column, with its name
   */
  public void requireReadable(Sql sql) throws IOException {
    if (sql.revive()) {
      return; // Data that was read before has gone.
    }
    for (Column column : columns) {
      requireReadable(sql, column.projection(), from, describe(column));
    }
  }

  /**
   * Checks one column.
   *
   * @param where names it
   */
  public static void requireReadable(Sql sql, String projection, String from, String where)
      throws TableException {
    try {
      List<List<String>> unused =
          sql.rows("SELECT max(hash(%s)) FROM %s".formatted(projection, from));
    } catch (IOException e) {
      throw new TableException("%s: %s".formatted(where, e.getMessage()), e);
    }
  }

  /** Returns the name of a column for messages. */
  public String describe(Column column) {
    return "table '%s', column '%s'%s".formatted(table, column.name(), of);
  }

  /** Returns the same relation with the file's name in its messages. */
  public Relation of(Path file) {
    return new Relation(table, from, columns, " of " + file);
  }

  /**
   * Requires that the values fit the type of their column, because DuckDB does not check this, and
   * that texts fit into a segment.
   *
   * @param page of a column of integers or texts
   * @param firstRow the row of the first value, from 0 on
   * @throws TableException if a value does not fit, with its row
   */
  public void requireInRange(
      Column column, Object page, int rows, long firstRow, @Nullable RowBits validity)
      throws TableException {
    if (page instanceof TextPage texts) {
      requireLengths(column, texts, rows, firstRow);
    }
    if (!column.type().isBounded()) {
      return;
    }
    for (int i = 0; i < rows; i++) {
      long value =
          page instanceof long[] longs
              ? longs[i]
              : page instanceof int[] ints ? ints[i] : ((short[]) page)[i];
      if (!column.type().has(value) && (validity == null || validity.get(firstRow + i))) {
        throw refused(column, firstRow + i, "%s is no %s".formatted(value, column.type().name()));
      }
    }
  }

  private void requireLengths(Column column, TextPage texts, int rows, long firstRow)
      throws TableException {
    int most = SegmentPlanner.MAX_TEXT_BYTES - CargoSize.TEXT_LENGTH_BYTES;
    for (int i = 0; i < rows; i++) {
      if (texts.length(i) > most) {
        throw refused(
            column,
            firstRow + i,
            format("the text has %s, the limit is %,d", Counted.of(texts.length(i), "byte"), most));
      }
    }
  }

  private TableException refused(Column column, long row, String reason) {
    return new TableException(
        format("table '%s', row %,d, column '%s': ", table, row + 1, column.name()) + reason);
  }

  /** A column of a query, before it is known whether a cargo can hold it. */
  public record Found(String name, String type) {}

  /**
   * Asks for the columns.
   *
   * @throws IOException if the source cannot be read, or SQL cannot tell its columns apart
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
   * Creates the relation.
   *
   * @throws IOException if the source cannot be read, or has a type or a value that a cargo cannot
   *     hold, with column, type and row
   */
  public static Relation of(Sql sql, String table, String from) throws IOException {
    List<Column> columns = new ArrayList<>();
    for (Found found : columns(sql, table, from)) {
      ValueType type = ValueType.described(found.type());
      if (type == null && found.type().equals(NOTHING)) {
        throw new TableException(
            "table '%s', column '%s': all values are null, and its type is unknown: set it with --types '%s=VARCHAR'"
                .formatted(table, found.name(), found.name()));
      }
      if (type == null) {
        throw new TableException(
            "table '%s', column '%s': a cargo cannot hold %s%s: cast it with --types '%s=TYPE' or --select"
                .formatted(
                    table,
                    found.name(),
                    Sql.shown(found.type()),
                    found.type().startsWith("DECIMAL(")
                        ? ", only up to " + Counted.of(ValueType.MAX_DIGITS, "decimal")
                        : "",
                    found.name()));
      }
      columns.add(new Column(found.name(), type));
    }
    Relation relation = new Relation(table, from, columns, "");
    relation.requireFits(sql);
    return relation;
  }

  /** Checks the values of wide types: a cargo can hold only a part of them. */
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
            "table '%s', %s, column '%s': a cargo cannot hold %s of %s: it holds up to %s"
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

  /** Returns the first row for which a condition holds, for messages: {@code row 7}. */
  public static String row(Sql sql, String from, String condition) throws IOException {
    return format(
        "row %,d",
        sql.number(
            "SELECT min(\"row number\") FROM (SELECT row_number() OVER () AS \"row number\", * FROM %s) WHERE %s"
                .formatted(from, condition)));
  }

  /** Returns the value of a column in the first row for which a condition holds, for messages. */
  public static String value(Sql sql, String from, String column, String condition)
      throws IOException {
    return Sql.shown(
        sql.rows(
                "SELECT CAST(%s AS VARCHAR) FROM %s WHERE %s LIMIT 1"
                    .formatted(Sql.name(column), from, condition))
            .get(0)
            .get(0));
  }
}
