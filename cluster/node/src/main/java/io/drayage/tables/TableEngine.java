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
 * Reads and writes the tables of other systems. Its implementation has a class path of its own,
 * which the launcher takes for the commands that need it.
 */
public interface TableEngine {
  /** The one on the class path. */
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
   * Opens tables, and reads as much of them as it takes to know types, rows and nulls.
   *
   * @param progress is told what is done, a line each
   * @throws IOException if a table cannot be read or has a type that there is no place for, naming
   *     table, column and type
   */
  ImportedTables open(ImportPlan plan, Consumer<String> progress) throws IOException;

  /**
   * Writes each table of a cargo of {@linkplain io.drayage.store.StoreSnapshot#liveRows live rows}
   * into a file of its own, with the types that its columns were imported from.
   *
   * @param folder exists; a file of it is replaced when the new one is complete
   * @return the files
   * @throws ExportException if a table cannot be written; the others are
   */
  List<Path> export(ChangeCargo rows, FileFormat format, Path folder) throws IOException;

  /**
   * Opens where the changes of a table are written as an Arrow IPC stream.
   *
   * @param before whether also what was there before a change
   * @param file created if it is not there; null for {@code reader}
   * @throws IOException if the file cannot be used, or holds something else
   */
  ChangeTarget changes(String table, boolean before, @Nullable Path file, OutputStream reader)
      throws IOException;

  /**
   * Opens a session over the tables of a snapshot.
   *
   * @param files whether SQL may read and write files, load extensions and change settings; else it
   *     reaches nothing but the snapshot
   */
  SqlSession session(SqlSource source, boolean files) throws IOException;

  /** The statements of a text, without what separates them; none of a text of comments alone. */
  List<String> statements(String sql);

  /** Measures Parquet, a column after the other. */
  ParquetTrial parquet() throws IOException;
}
