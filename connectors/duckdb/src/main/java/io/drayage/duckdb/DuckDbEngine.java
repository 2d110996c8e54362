package io.drayage.duckdb;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TypesTable;
import io.drayage.changes.ChangeTarget;
import io.drayage.codec.WholeFile;
import io.drayage.duckdb.changes.ArrowChanges;
import io.drayage.duckdb.file.SqlNames;
import io.drayage.duckdb.file.TableFileNames;
import io.drayage.duckdb.sql.KeptTypes;
import io.drayage.duckdb.sql.Sql;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.tables.ExportException;
import io.drayage.tables.FileFormat;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.ParquetTrial;
import io.drayage.tables.SqlSession;
import io.drayage.tables.SqlSource;
import io.drayage.tables.TableEngine;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.jspecify.annotations.Nullable;

/** Reads and writes tables of other systems. Thread-safe: each call has its own database. */
public final class DuckDbEngine implements TableEngine {
  /** A strong reference, because loggers are collected. Arrow logs its settings at each start. */
  private static final Logger ARROW = Logger.getLogger("org.apache.arrow");

  static {
    ARROW.setLevel(Level.WARNING);
  }

  @Override
  public ImportedTables open(ImportPlan plan, Consumer<String> progress) throws IOException {
    return new DuckDbImport(plan, progress);
  }

  @Override
  public List<Path> export(ChangeCargo rows, FileFormat format, Path folder) throws IOException {
    KeptTypes kept = KeptTypes.of(rows);
    List<TableChanges> tables =
        rows.tables().stream().filter(table -> !TypesTable.isTypes(table)).toList();
    if (format == FileFormat.ARROW) {
      return export(
          tables, format, folder, (table, file, unfinished) -> writeArrow(table, kept, unfinished));
    }
    Path target = folder.toRealPath();
    try (WorkFolder work = new WorkFolder();
        BufferAllocator memory = new RootAllocator();
        Sql sql = Sql.writing(target, work.path())) {
      return export(
          tables,
          format,
          target,
          (table, file, unfinished) -> {
            sql.revive();
            SqlNames.requireDistinct(
                "table '%s', which --format arrow keeps: the columns".formatted(table.table()),
                table.insertedColumns().stream().map(InsertedColumn::column).toList());
            String how = format == FileFormat.CSV ? csv(table) : "FORMAT parquet, CODEC zstd";
            LiveRowsReader.read(
                table,
                kept,
                sql,
                memory,
                select -> {
                  try {
                    sql.run(
                        "COPY (%s) TO %s (%s)"
                            .formatted(
                                format == FileFormat.CSV ? printed(select, table, kept) : select,
                                Sql.text(unfinished.toAbsolutePath()),
                                how));
                  } catch (TableException e) {
                    String reason = String.valueOf(e.getMessage());
                    throw notWritten(
                        table, file, reason.replace(unfinished.toString(), file.toString()), e);
                  }
                });
          });
    }
  }

  private interface TableWriting {
    void write(TableChanges table, Path file, Path unfinished) throws IOException;
  }

  private static List<Path> export(
      List<TableChanges> tables, FileFormat format, Path folder, TableWriting writing)
      throws IOException {
    Map<String, String> names =
        TableFileNames.of(tables.stream().map(TableChanges::table).toList());
    List<Path> files = new ArrayList<>();
    List<TableException> failures = new ArrayList<>();
    for (TableChanges table : tables) {
      String ending = "." + format.name().toLowerCase(Locale.ROOT);
      Path file = folder.resolve(names.get(table.table()) + ending);
      try {
        WholeFile.write(file, unfinished -> writing.write(table, file, unfinished));
        files.add(file);
      } catch (TableException e) {
        failures.add(e); // It names the table.
      } catch (FileSystemException e) {
        String kind = e.getClass().getSimpleName();
        failures.add(notWritten(table, file, Objects.requireNonNullElse(e.getReason(), kind), e));
      } catch (IOException e) {
        failures.add(notWritten(table, file, String.valueOf(e.getMessage()), e));
      }
    }
    if (!failures.isEmpty()) {
      throw new ExportException(files, failures);
    }
    return files;
  }

  private static TableException notWritten(
      TableChanges table, Path file, String reason, IOException e) {
    return new TableException(
        "table '%s' cannot be written to %s: %s".formatted(table.table(), file, reason), e);
  }

  private static void writeArrow(TableChanges table, KeptTypes kept, Path file) throws IOException {
    try (BufferAllocator memory = new RootAllocator();
        LiveRowsReader rows = new LiveRowsReader(table, kept, memory);
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ArrowFileWriter writer = new ArrowFileWriter(rows.getVectorSchemaRoot(), null, channel)) {
      writer.start();
      while (rows.loadNextBatch()) {
        writer.writeBatch();
      }
      writer.end();
    }
  }

  /** Returns quoted CSV, because the file's reader could guess another delimiter than the comma. */
  private static String csv(TableChanges table) {
    List<InsertedColumn> columns = table.insertedColumns();
    boolean isQuoted =
        (columns.size() == 1 && columns.get(0).values().type() == ColumnType.STRING)
            || columns.stream()
                .anyMatch(each -> each.column().chars().anyMatch(c -> ";\t|".indexOf(c) >= 0));
    return "FORMAT csv, HEADER" + (isQuoted ? ", FORCE_QUOTE *" : "");
  }

  /** Returns a query for the same rows, with decimals as they are printed. */
  private static String printed(String select, TableChanges table, KeptTypes kept)
      throws TableException {
    List<String> casts = new ArrayList<>();
    for (InsertedColumn column : table.insertedColumns()) {
      String type = kept.of(table.table(), column).name();
      String name = Sql.name(column.column());
      if (!ValueType.printed(type).equals(type)) {
        casts.add("CAST(%s AS %s) AS %s".formatted(name, ValueType.printed(type), name));
      }
    }
    return casts.isEmpty()
        ? select
        : "SELECT * REPLACE (%s) FROM (%s)".formatted(String.join(", ", casts), select);
  }

  @Override
  public ChangeTarget changes(
      String table, boolean before, @Nullable Path file, OutputStream reader) throws IOException {
    return file == null
        ? ArrowChanges.toReader(table, before, reader)
        : ArrowChanges.toFile(table, before, file);
  }

  @Override
  public SqlSession session(SqlSource source, boolean files) throws IOException {
    return new TableSession(source, files);
  }

  @Override
  public List<String> statements(String sql) {
    return SqlText.statements(sql);
  }

  @Override
  public ParquetTrial parquet() throws IOException {
    return new DuckDbParquetTrial();
  }
}
