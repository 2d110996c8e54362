package io.drayage.duckdb;

import io.drayage.cli.tables.ImportPlan;
import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

/**
 * Has DuckDB read files and queries. Parquet is read column by column where it lies; whatever else
 * is read once, into a table of the working database.
 */
final class Staging {
  private final Sql sql;
  private final BufferAllocator memory;
  private int tables;

  Staging(Sql sql, BufferAllocator memory) {
    this.sql = sql;
    this.memory = memory;
  }

  /** Has the SQL of a plan see the databases that it names. */
  void attach(ImportPlan plan) throws IOException {
    for (Path file : plan.databases()) {
      String name = String.valueOf(file.getFileName()).replaceAll("\\..*", "");
      sql.run("ATTACH %s AS %s (READ_ONLY)".formatted(Sql.text(file), Sql.name(name)));
    }
  }

  /** A table of a query. */
  String ofQuery(String select) throws IOException {
    String name = Sql.name("staged " + tables++);
    sql.run("CREATE TABLE %s AS %s".formatted(name, select));
    return name;
  }

  /** A file, as what stands behind FROM; as a table with row ids where that is asked for. */
  String ofFile(Path file, boolean asTable) throws IOException {
    String kind = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    kind = kind.endsWith(".gz") ? kind.substring(0, kind.length() - 3) : kind;
    Map<String, String> readers =
        Map.of(
            ".tsv", "read_csv(%s, delim = '\t', allow_quoted_nulls = false)",
            ".json", "read_json(%s)",
            ".jsonl", "read_json(%s, format = 'newline_delimited')",
            ".ndjson", "read_json(%s, format = 'newline_delimited')");
    if (kind.endsWith(".parquet")) {
      String parquet = "read_parquet(%s)".formatted(Sql.text(file));
      return asTable ? ofQuery("SELECT * FROM " + parquet) : parquet;
    }
    if (kind.endsWith(".arrow") || kind.endsWith(".arrows")) {
      return ofArrow(file, kind.endsWith(".arrows"));
    }
    if (kind.endsWith(".csv")) {
      try {
        return ofQuery("SELECT * FROM " + CsvFile.from(sql, file));
      } catch (TableException e) {
        throw CsvFile.reason(file, e);
      }
    }
    for (Map.Entry<String, String> reader : readers.entrySet()) {
      if (kind.endsWith(reader.getKey())) {
        return ofQuery("SELECT * FROM " + reader.getValue().formatted(Sql.text(file)));
      }
    }
    throw new TableException(
        "%s: its name must end in .parquet, .csv, .tsv, .json, .jsonl, .ndjson, .arrow or .arrows"
            .formatted(file));
  }

  private String ofArrow(Path file, boolean isStream) throws IOException {
    try (FileChannel channel = FileChannel.open(file);
        ArrowReader reader =
            isStream
                ? new ArrowStreamReader(channel, memory, CommonsCompressionFactory.INSTANCE)
                : new ArrowFileReader(channel, memory, CommonsCompressionFactory.INSTANCE)) {
      AtomicReference<String> table = new AtomicReference<>("");
      withArrow(reader, from -> table.set(ofQuery("SELECT * FROM " + from)));
      return table.get();
    } catch (RuntimeException e) {
      throw new TableException("%s: %s".formatted(file, e.getMessage()), e);
    }
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

  /** Has SQL read rows, by a query for them. */
  void withRows(BatchReader rows, StreamUse use) throws IOException {
    try {
      withArrow(rows, from -> use.read(rows.selectFrom(from)));
    } catch (TableException e) {
      throw rows.reason(e);
    }
  }

  private void withArrow(ArrowReader reader, StreamUse use) throws IOException {
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
