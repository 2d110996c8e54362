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
 * Reads files and queries with DuckDB. Parquet is read column by column from the file. Other input
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

  /** Makes the databases of a plan visible to its SQL. */
  void attach(ImportPlan plan) throws IOException {
    for (Map.Entry<String, Path> each : plan.databases().entrySet()) {
      DatabaseFile.require(each.getValue());
      hasDatabases = true;
      sql.run(
          "ATTACH %s AS %s (READ_ONLY)"
              .formatted(Sql.text(each.getValue().toAbsolutePath()), Sql.name(each.getKey())));
    }
  }

  /** Makes a table of a query. */
  String ofQuery(String select) throws IOException {
    String name = "staged " + tables++;
    sql.makeTable(name, select);
    return Sql.name(name);
  }

  /**
   * Makes a table of a user's query.
   *
   * @throws IOException if the query fails, or SQL cannot tell its columns apart
   */
  String ofSelect(String table, String select) throws IOException {
    requireNoFolders(table, select);
    return SelectedFiles.check(sql, table, select, hasDatabases, () -> ofQuery(select));
  }

  /**
   * Refuses a folder such as year=2024, which DuckDB reads as a column in place of the file's own.
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
   * A source that was read or can be read.
   *
   * @param from the text after FROM
   * @param notes for the user on columns, by their names
   */
  record Staged(String from, Map<String, String> notes) {}

  /** Reads a file with the declared types; on request as a table with row ids. */
  Staged ofFile(String table, Path path, boolean asTable, TypeCasts types) throws IOException {
    TableFile file = TableFile.of(path);
    return switch (file.kind()) {
      case CSV, TSV, JSON, JSON_LINES -> ofText(table, file, types);
      case ARROW_FILE, ARROW_STREAM -> new Staged(types.cast(table, ofArrow(path), this), Map.of());
      case PARQUET -> {
        String parquet = ParquetFile.from(sql, table, path);
        String from = types.cast(table, parquet, this);
        yield new Staged(
            asTable && from.equals(parquet) ? ofQuery("SELECT * FROM " + from) : from, Map.of());
      }
    };
  }

  private Staged ofText(String table, TableFile file, TypeCasts types) throws IOException {
    TextTable text =
        TextTable.of(
            file.path(),
            TextFormat.of(file),
            file.zipped(),
            column -> types.of(table, column),
            types.dates());
    types.addDates(text);
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

  /** Makes a table of rows. */
  String ofRows(BatchReader rows) throws IOException {
    AtomicReference<String> table = new AtomicReference<>("");
    withRows(rows, select -> table.set(ofQuery(select)));
    return table.get();
  }

  /** Reads a stream that can be read once. */
  interface StreamUse {
    /** Reads the stream; {@code sql} is a query for it, or the text after FROM. */
    void read(String sql) throws IOException;
  }

  /**
   * Lets SQL read rows, by a query for them.
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
    // Arrow writes decimals for DuckDB by String.format, in digits of the machine's language.
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
