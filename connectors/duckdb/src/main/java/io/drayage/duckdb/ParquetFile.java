package io.drayage.duckdb;

import io.drayage.duckdb.file.SqlNames;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How DuckDB is to read a Parquet file, so that it reads this one and nothing is cut or added. */
final class ParquetFile {
  private ParquetFile() {}

  /**
   * What stands behind FROM.
   *
   * @throws IOException if it is no Parquet, or has columns or moments that cannot be kept apart
   */
  static String from(Sql sql, String table, Path file) throws IOException {
    String name = Sql.text(sql.nameOf(file));
    List<String> columns = new ArrayList<>();
    List<String> int96 = new ArrayList<>();
    int skipped = 0; // What is within a column.
    List<List<String>> schema;
    try {
      schema =
          sql.rows(
              "SELECT name, type, coalesce(num_children, 0), coalesce(precision, 0) FROM parquet_schema(%s)"
                  .formatted(name));
    } catch (TableException e) {
      throw new TableException(
          "%s: it is no Parquet, or damaged: %s".formatted(file, e.getMessage()), e);
    }
    for (List<String> element : schema.subList(1, schema.size())) {
      if (skipped == 0) {
        columns.add(element.get(0));
        if (element.get(1).equals("INT96")) {
          int96.add(element.get(0));
        }
        requireExact(table, element.get(0), Integer.parseInt(element.get(3)));
      } else {
        skipped--;
      }
      skipped += Integer.parseInt(element.get(2));
    }
    // DuckDB gives names of its own to those that it takes for the same.
    SqlNames.requireDistinct("table '%s': the columns".formatted(table), columns);
    return !int96.isEmpty() && hasNanos(sql, table, read(name, ", int96_as = 'struct'"), int96)
        ? read(name, ", int96_as = 'timestamp_ns'")
        : read(name, "");
  }

  /** DuckDB reads longer decimals as DOUBLE. */
  private static void requireExact(String table, String column, int digits) throws TableException {
    if (digits > ValueType.MAX_DIGITS_READ) {
      throw new TableException(
          "table '%s', column '%s': a cargo has no place for decimals of %s digits, only for up to %s"
              .formatted(table, column, digits, ValueType.MAX_DIGITS_READ));
    }
  }

  private static String read(String name, String option) {
    return "read_parquet(%s, hive_partitioning = false%s)".formatted(name, option);
  }

  /** INT96 says days and nanoseconds, of which DuckDB takes microseconds. */
  private static boolean hasNanos(Sql sql, String table, String from, List<String> columns)
      throws IOException {
    boolean has = false;
    for (String column : columns) {
      String time = Sql.name(column) + ".\"time\"";
      has |=
          sql.number(
                  "SELECT count(*) FROM %s WHERE CAST(CAST(%s AS TIME) AS TIME_NS) <> %s"
                      .formatted(from, time, time))
              > 0;
    }
    for (String column : has ? columns : List.<String>of()) {
      String days = Sql.name(column) + ".date";
      String misfit = "%s NOT BETWEEN DATE '1677-09-22' AND DATE '2262-04-10'".formatted(days);
      if (sql.number("SELECT count(*) FROM %s WHERE %s".formatted(from, misfit)) > 0) {
        throw new TableException(
            "table '%s', %s, column '%s': INT96 with nanoseconds in the file, and this day is beyond what 64 bits of them count"
                .formatted(table, Relation.row(sql, from, misfit), column));
      }
    }
    return has;
  }
}
