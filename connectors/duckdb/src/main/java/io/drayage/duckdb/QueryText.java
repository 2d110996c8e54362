package io.drayage.duckdb;

import io.drayage.cargo.Names;
import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.QueryFormat;
import io.drayage.tables.TableException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Prints the results of statements, each value as the engine writes it. Java has no infinite dates
 * and no {@code 24:00:00}, and writes floats differently. In CSV, null is empty and an empty text
 * is {@code ""}. Other formats replace unprintable characters by their numbers, for terminals.
 */
record QueryText(Connection connection, QueryFormat format, PrintWriter out) {
  /** The column that EXPLAIN returns. */
  private static final String PLAN = "explain_value";

  private static final int ALIGNED_ROWS = 1000;

  /** The type of a statement that is planned only when it runs. */
  private static final String UNKNOWN = "UNKNOWN";

  /** The columns of a statement that is no query. As a query, its words would name tables. */
  private static final List<String> SUCCESS = List.of("Success");

  private static final List<String> COUNT = List.of("Count");

  /** Types whose values Java changes, also as parts of other types. */
  private static final Pattern CHANGED_BY_JAVA =
      Pattern.compile("\\b(DATE|TIME\\w*|FLOAT|DOUBLE|BLOB)\\b");

  private static final Pattern NEEDS_QUOTES = Pattern.compile("[,\"\\r\\n]|^$|^\\s|\\s$");

  /**
   * Runs a statement and prints its result.
   *
   * @throws TableException before it runs, if only Java could print its values, because Java would
   *     change them
   */
  void print(String statement) throws SQLException, TableException {
    List<String> labels = new ArrayList<>();
    List<String> types = new ArrayList<>();
    try (PreparedStatement prepared = connection.prepareStatement(statement)) {
      ResultSetMetaData columns = prepared.getMetaData();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        labels.add(columns.getColumnLabel(i));
        types.add(columns.getColumnTypeName(i));
      }
    }
    try (PreparedStatement asTexts =
        labels.equals(SUCCESS) || labels.equals(COUNT) ? null : asTexts(statement, types)) {
      if (asTexts != null) {
        print(asTexts.executeQuery(), types.contains(UNKNOWN) ? List.of() : labels);
        return;
      }
    } catch (SQLException e) {
      throw Sql.reason(connection, statement, e);
    }
    for (int i = 0; i < types.size(); i++) {
      if (CHANGED_BY_JAVA.matcher(types.get(i)).find()) {
        throw new TableException(
            "column '%s' of this statement is %s, which only a query can print: cast it to VARCHAR"
                .formatted(labels.get(i), types.get(i)));
      }
    }
    try (Statement running = connection.createStatement()) {
      if (running.execute(statement)) {
        print(running.getResultSet(), labels);
      }
    }
  }

  /** Returns a query for the same values as texts; null if the statement is not a query. */
  private @Nullable PreparedStatement asTexts(String statement, List<String> types) {
    String from = " FROM (\n" + statement + "\n)";
    if (!types.contains(UNKNOWN)) {
      List<String> places = IntStream.range(0, types.size()).mapToObj(i -> "c" + i).toList();
      from += " AS r(%s)".formatted(String.join(", ", places));
    }
    try {
      return connection.prepareStatement(
          "SELECT "
              + (types.contains(UNKNOWN)
                  ? "CAST(COLUMNS(*) AS VARCHAR)"
                  : IntStream.range(0, types.size())
                      .mapToObj(i -> asText("c" + i, types.get(i)))
                      .collect(Collectors.joining(", ")))
              + from);
    } catch (SQLException e) {
      return null;
    }
  }

  private static String asText(String column, String type) {
    String printed = ValueType.printed(type);
    return "CAST(%s AS VARCHAR)"
        .formatted(printed.equals(type) ? column : "CAST(%s AS %s)".formatted(column, printed));
  }

  private void print(ResultSet result, List<String> labels) throws SQLException {
    try (result) {
      ResultSetMetaData columns = result.getMetaData();
      List<String> names = new ArrayList<>(labels);
      for (int i = names.size() + 1; i <= columns.getColumnCount(); i++) {
        names.add(columns.getColumnLabel(i));
      }
      List<List<String>> rows = new ArrayList<>(List.of(names.stream().map(this::cell).toList()));
      boolean isPlan = names.contains(PLAN) && format == QueryFormat.TEXT;
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= names.size(); i++) {
          String value = result.getString(i);
          row.add(isPlan && value != null ? lines(value) : cell(value));
        }
        rows.add(row);
        if (rows.size() > ALIGNED_ROWS) {
          print(rows);
          rows.clear();
        }
      }
      print(rows);
    }
  }

  /** Returns a plan in several lines. */
  private static String lines(String plan) {
    return plan.lines().map(Names::escaped).collect(Collectors.joining(System.lineSeparator()));
  }

  private String cell(@Nullable String value) {
    if (format == QueryFormat.TEXT) {
      return value == null ? "NULL" : Names.escaped(value);
    } else if (value == null) {
      return "";
    }
    return NEEDS_QUOTES.matcher(value).find() ? '"' + value.replace("\"", "\"\"") + '"' : value;
  }

  private void print(List<List<String>> rows) {
    if (format == QueryFormat.CSV) {
      rows.forEach(row -> out.println(String.join(",", row)));
      return;
    }
    int[] widths = new int[rows.isEmpty() ? 0 : rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(i == 0 ? "" : "  ").append(row.get(i));
        line.append(" ".repeat(widths[i] - row.get(i).length()));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
