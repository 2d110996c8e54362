package io.drayage.duckdb;

import io.drayage.cli.tables.QueryFormat;
import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Prints what a query returns. */
final class QueryText {
  private static final int ALIGNED_ROWS = 1000;

  private final ResultSet result;
  private final QueryFormat format;

  QueryText(ResultSet result, QueryFormat format) {
    this.result = result;
    this.format = format;
  }

  void print(PrintWriter out) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(columns.getColumnLabel(i));
    }
    List<List<String>> rows = new ArrayList<>(List.of(names));
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= names.size(); i++) {
        String value = result.getString(i);
        row.add(value == null ? format == QueryFormat.CSV ? "" : "NULL" : value);
      }
      rows.add(row);
      if (rows.size() > ALIGNED_ROWS) {
        print(rows, out);
        rows.clear();
      }
    }
    print(rows, out);
  }

  private void print(List<List<String>> rows, PrintWriter out) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        if (format == QueryFormat.CSV) {
          line.append(i == 0 ? "" : ",").append(quoted(row.get(i)));
        } else {
          int column = i;
          int width = rows.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
          line.append(i == 0 ? "" : "  ")
              .append(("%-" + Math.max(1, width) + "s").formatted(row.get(i)));
        }
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static String quoted(String value) {
    return value.matches("(?s).*[,\"\\r\\n].*") ? '"' + value.replace("\"", "\"\"") + '"' : value;
  }
}
