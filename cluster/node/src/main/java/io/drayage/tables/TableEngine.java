package io.drayage.tables;

import io.drayage.cargo.ChangeCargo;
import io.drayage.changes.ChangeTarget;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the tables of other systems. The implementation has its own class path. The
 * launcher uses that class path for the commands that need it.
 */
public interface TableEngine {
  /** Returns the engine on the class path. */
  static TableEngine installed() throws IOException {
    try {
      return ServiceLoader.load(TableEngine.class)
          .findFirst()
          .orElseThrow(
              () ->
                  new TableException(
                      "DuckDB is not on the class path: './drayage' in a checkout builds and adds it, or put connectors/duckdb/target/duckdb.jar and its lib/ on it"));
    } catch (ServiceConfigurationError e) {
      throw new TableException("DuckDB cannot be loaded: " + e.getMessage(), e);
    }
  }

  /**
   * Opens tables, and reads as much of them as it needs for types, rows and nulls.
   *
   * @param progress receives a line for each finished step
   * @throws IOException if a table cannot be read, or has a type that is not supported; names
   *     table, column and type
   */
  ImportedTables open(ImportPlan plan, Consumer<String> progress) throws IOException;

  /**
   * Writes each table of a cargo of {@linkplain io.drayage.store.StoreSnapshot#liveRows live rows}
   * into its own file, with the types from which its columns were imported.
   *
   * @param folder must exist; a new file replaces an old one when it is complete
   * @return the files
   * @throws ExportException if a table cannot be written; the other tables are written
   */
  List<Path> export(ChangeCargo rows, FileFormat format, Path folder) throws IOException;

  /**
   * Opens a target that writes the changes of a table as an Arrow IPC stream.
   *
   * @param before whether the values before a change are written, too
   * @param file created if it does not exist; null for {@code reader}
   * @throws IOException if the file cannot be used, or holds something else
   */
  ChangeTarget changes(String table, boolean before, @Nullable Path file, OutputStream reader)
      throws IOException;

  /**
   * Opens a session over the tables of a snapshot.
   *
   * @param files whether SQL may read and write files, load extensions and change settings; else it
   *     can read only the snapshot
   */
  SqlSession session(SqlSource source, boolean files) throws IOException;

  /** Splits a text into statements, without separators; empty for a text of only comments. */
  List<String> statements(String sql);

  /** Returns a trial that measures Parquet, one column after the other. */
  ParquetTrial parquet() throws IOException;
}
