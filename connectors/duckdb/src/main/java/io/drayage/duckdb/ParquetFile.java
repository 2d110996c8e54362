package io.drayage.duckdb;

import io.drayage.duckdb.file.ParquetPages;
import io.drayage.duckdb.file.RawParquet;
import io.drayage.duckdb.file.SqlNames;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Expressions that make DuckDB read exactly one Parquet file, without lost or added columns. */
final class ParquetFile {
  private ParquetFile() {}

  /**
   * Returns the text after FROM.
   *
   * @throws IOException if the file is not Parquet, or has columns or times that DuckDB would merge
   */
  static String from(Sql sql, String table, Path file) throws IOException {
    String name = Sql.text(sql.nameOf(file));
    List<String> columns = new ArrayList<>();
    int skipped = 0; // Number of nested elements.
    List<List<String>> schema;
    try {
      schema =
          sql.rows(
              "SELECT name, coalesce(num_children, 0), coalesce(precision, 0) FROM parquet_schema(%s)"
                  .formatted(name));
    } catch (TableException e) {
      try (ParquetPages pages = ParquetPages.open(file)) {
        pages.requireNotEncrypted(column -> true);
      }
      throw damaged(file, e);
    }
    for (List<String> element : schema.subList(1, schema.size())) {
      if (skipped == 0) {
        columns.add(element.get(0));
        requireExact(table, element.get(0), Integer.parseInt(element.get(2)));
      } else {
        skipped--;
      }
      skipped += Integer.parseInt(element.get(1));
    }
    // DuckDB renames columns whose names it calls equal.
    SqlNames.requireDistinct("table '%s': the columns".formatted(table), columns);
    try (ParquetPages pages = ParquetPages.open(file)) {
      pages.requireNotEncrypted(column -> true);
      pages.requireIntact(table, column -> true);
      RawValues raw = RawValues.of(sql, table, "", pages, bent(pages));
      if (raw.hasNanos()) {
        raw.requireNanosFit();
        return read(name, ", int96_as = 'timestamp_ns'");
      }
      return read(name, "");
    }
  }

  /** Refuses long decimals, which DuckDB reads as DOUBLE. */
  private static void requireExact(String table, String column, int digits) throws TableException {
    if (digits > ValueType.MAX_DIGITS_READ) {
      throw new TableException(
          "table '%s', column '%s': a cargo cannot hold decimals of %s digits, only of up to %s"
              .formatted(table, column, digits, ValueType.MAX_DIGITS_READ));
    }
  }

  private static String read(String name, String option) {
    return "read_parquet(%s, hive_partitioning = false%s)".formatted(name, option);
  }

  /**
   * Looks for a column that cannot be read, after the file could not be read, because DuckDB does
   * not name it.
   *
   * @param isRead whether a column is looked at
   * @throws IOException if there is such a column, with its name, or the file cannot be read
   */
  static void requireReadable(Sql sql, String table, Path file, Predicate<String> isRead)
      throws IOException {
    sql.revive();
    String from = read(Sql.text(sql.nameOf(file)), "");
    List<Relation.Found> columns;
    try {
      columns = Relation.columns(sql, table, from);
    } catch (TableException e) {
      throw damaged(file, e);
    }
    for (Relation.Found column : columns) {
      if (isRead.test(column.name())) {
        String where = "table '%s', column '%s' of %s".formatted(table, column.name(), file);
        Relation.requireReadable(sql, Sql.name(column.name()), from, where);
      }
    }
  }

  private static TableException damaged(Path file, TableException e) {
    return new TableException(
        "%s: it is no Parquet, or damaged: %s".formatted(file, e.getMessage()), e);
  }

  /** Returns the columns that DuckDB may change, without nested ones, which no cargo can hold. */
  private static List<RawParquet.Column> bent(ParquetPages pages) {
    return RawParquet.columns(pages.footer()).stream()
        .filter(column -> !column.isNested())
        .toList();
  }
}
