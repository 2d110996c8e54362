package io.drayage.duckdb;

import io.drayage.duckdb.file.ArrowFile;
import io.drayage.duckdb.file.DatabaseFile;
import io.drayage.duckdb.file.SqlNames;
import io.drayage.duckdb.file.TextFormat;
import io.drayage.duckdb.file.TextTable;
import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.TableException;
import io.drayage.tables.TableFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Has DuckDB read files and queries. Parquet is read column by column where it lies; whatever else
 * is read once, into a table of the working database.
 */
final class Staging {
  private final Sql sql;
  private final BufferAllocator memory;
  private int tables;
  private boolean hasDatabases;

  Staging(Sql sql, BufferAllocator memory) {
    this.sql = sql;
    this.memory = memory;
  }

  /** Has the SQL of a plan see the databases that it names. */
  void attach(ImportPlan plan) throws IOException {
    for (Map.Entry<String, Path> each : plan.databases().entrySet()) {
      DatabaseFile.require(each.getValue());
      hasDatabases = true;
      sql.run(
          "ATTACH %s AS %s (READ_ONLY)"
              .formatted(Sql.text(each.getValue().toAbsolutePath()), Sql.name(each.getKey())));
    }
  }

  /** A table of a query. */
  String ofQuery(String select) throws IOException {
    String name = "staged " + tables++;
    sql.makeTable(name, select);
    return Sql.name(name);
  }

  /**
   * A table of a user's query.
   *
   * @throws IOException if it fails, or SQL cannot tell its columns apart
   */
  String ofSelect(String table, String select) throws IOException {
    requireNoFolders(table, select);
    // A table would give them names of its own.
    SqlNames.requireDistinct("table '%s': the columns".formatted(table), sql.columns(select));
    return SelectedFiles.check(sql, table, select, hasDatabases, () -> ofQuery(select));
  }

  /**
   * DuckDB takes year=2024 in the name of a folder for a column, in the place of one of the file.
   */
  private void requireNoFolders(String table, String select) throws IOException {
    List<List<String>> named =
        select.contains("hive_partitioning")
            ? List.of()
            : sql.rows(
                "SELECT atom->>'$' FROM json_tree(json_serialize_sql(%s)) WHERE type = 'VARCHAR' AND path LIKE '%%from_table%%' AND regexp_matches(atom->>'$', '(^|/)[^/=]+=[^/]*/') LIMIT 1"
                    .formatted(Sql.text(select)));
    if (!named.isEmpty()) {
      throw new TableException(
          "table '%s': folders of '%s' would be columns: write read_parquet('...', hive_partitioning = false), or = true if you want them"
              .formatted(table, named.get(0).get(0)));
    }
  }

  /**
   * What was read, or can be.
   *
   * @param from what stands behind FROM
   * @param notes what a user should know of columns, by their names
   */
  record Staged(String from, Map<String, String> notes) {}

  /** A file with the declared types; as a table with row ids where that is asked for. */
  Staged ofFile(String table, Path path, boolean asTable, TypeCasts types, List<String> dates)
      throws IOException {
    TableFile file = TableFile.of(path);
    return switch (file.kind()) {
      case CSV, TSV, JSON, JSON_LINES -> ofText(table, file, types, dates);
      case ARROW_FILE, ARROW_STREAM -> new Staged(types.cast(table, ofArrow(path), this), Map.of());
      case PARQUET -> {
        String parquet = ParquetFile.from(sql, table, path);
        String from = types.cast(table, parquet, this);
        yield new Staged(
            asTable && from.equals(parquet) ? ofQuery("SELECT * FROM " + from) : from, Map.of());
      }
    };
  }

  private Staged ofText(String table, TableFile file, TypeCasts types, List<String> dates)
      throws IOException {
    TextTable text =
        TextTable.of(
            file.path(),
            TextFormat.of(file),
            file.zipped(),
            column -> types.of(table, column),
            dates);
    SqlNames.requireDistinct(
        file.path() + ": the columns",
        text.columns().stream().map(TextTable.Column::name).toList());
    try (TextTable.Reading rows = text.read()) {
      Map<String, String> notes = new HashMap<>();
      text.columns().forEach(column -> notes.put(column.name(), column.note()));
      return new Staged(ofRows(new TextReader(text, rows, memory)), notes);
    }
  }

  private String ofArrow(Path file) throws IOException {
    AtomicReference<String> table = new AtomicReference<>("");
    ArrowFile.read(
        file,
        memory,
        batches -> {
          try {
            withArrow(batches, from -> table.set(ofQuery("SELECT * FROM " + from)));
          } catch (TableException e) {
            ArrowFile.requireReadable(file, memory);
            throw new TableException("%s: %s".formatted(file, e.getMessage()), e);
          }
        });
    return table.get();
  }

  /** A table of rows. */
  String ofRows(BatchReader rows) throws IOException {
    AtomicReference<String> table = new AtomicReference<>("");
    withRows(rows, select -> table.set(ofQuery(select)));
    return table.get();
  }

  /** Reads a stream that can be read once. */
  @FunctionalInterface
  interface StreamUse {
    /** Does so; {@code sql} is a query for it, or what stands behind FROM. */
    void read(String sql) throws IOException;
  }

  /**
   * Has SQL read rows, by a query for them.
   *
   * @throws IOException if SQL cannot tell their columns apart, or they cannot be read
   */
  void withRows(BatchReader rows, StreamUse use) throws IOException {
    SqlNames.requireDistinct("the columns", rows.names());
    try {
      withArrow(rows, from -> use.read(rows.selectFrom(from)));
    } catch (TableException e) {
      throw rows.reason(e);
    }
  }

  private void withArrow(ArrowReader reader, StreamUse use) throws IOException {
    // Arrow tells DuckDB of decimals by String.format, in the digits of the machine's language.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(memory)) {
      Data.exportArrayStream(memory, reader, stream);
      String name = "stream_" + tables++;
      sql.connection().registerArrowStream(name, stream);
      try {
        use.read(name);
      } finally {
        sql.run("DROP VIEW IF EXISTS " + name);
      }
    }
  }
}
