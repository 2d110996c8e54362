package io.drayage.duckdb;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableChanges;
import io.drayage.cli.tables.ChangeTarget;
import io.drayage.cli.tables.FileFormat;
import io.drayage.cli.tables.ImportPlan;
import io.drayage.cli.tables.ImportedTables;
import io.drayage.cli.tables.ParquetTrial;
import io.drayage.cli.tables.SqlSession;
import io.drayage.cli.tables.SqlSource;
import io.drayage.cli.tables.TableEngine;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.jspecify.annotations.Nullable;

/** The tables of other systems by DuckDB. Thread-safe: each call has a database of its own. */
public final class DuckDbEngine implements TableEngine {
  /** Kept, since loggers are forgotten. Arrow tells of its settings at each start. */
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
    List<Path> files = new ArrayList<>();
    KeptTypes kept = KeptTypes.of(rows);
    for (TableChanges table : rows.tables()) {
      if (!table.table().equals(KeptTypes.TABLE)) {
        String name = table.table().replaceAll("[/\\\\\\x00]", "_");
        Path file = folder.resolve(name + "." + format.name().toLowerCase(Locale.ROOT));
        Path unfinished = folder.resolve(file.getFileName() + ".part");
        try {
          if (format == FileFormat.ARROW) {
            writeArrow(table, kept, unfinished);
          } else {
            writeBySql(table, kept, format, unfinished);
          }
          Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
          Files.deleteIfExists(unfinished);
        }
        files.add(file);
      }
    }
    return files;
  }

  private static void writeArrow(TableChanges table, KeptTypes kept, Path file) throws IOException {
    try (BufferAllocator memory = new RootAllocator();
        LiveRowsReader rows = new LiveRowsReader(table, kept, memory);
        FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        ArrowFileWriter writer = new ArrowFileWriter(rows.getVectorSchemaRoot(), null, channel)) {
      writer.start();
      while (rows.loadNextBatch()) {
        writer.writeBatch();
      }
      writer.end();
    }
  }

  private static void writeBySql(TableChanges table, KeptTypes kept, FileFormat format, Path file)
      throws IOException {
    String how = format == FileFormat.CSV ? "FORMAT csv, HEADER" : "FORMAT parquet, CODEC zstd";
    Path target = file.toAbsolutePath().getParent().toRealPath();
    String written = Sql.text(target.resolve(file.getFileName()));
    try (WorkFolder folder = new WorkFolder();
        BufferAllocator memory = new RootAllocator();
        Sql sql = Sql.writing(target, folder.path());
        LiveRowsReader rows = new LiveRowsReader(table, kept, memory)) {
      new Staging(sql, memory)
          .withRows(
              rows, select -> sql.run("COPY (%s) TO %s (%s)".formatted(select, written, how)));
    }
  }

  @Override
  public ChangeTarget changes(String table, boolean before, @Nullable Path file)
      throws IOException {
    return file == null
        ? ArrowChanges.toReader(table, before)
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
