package io.drayage.tables;

import io.drayage.cargo.ColumnValues;
import java.io.IOException;

/**
 * A measurement that writes a column to a Parquet file and reads it back, on one thread. Not
 * thread-safe.
 */
public interface ParquetTrial extends AutoCloseable {
  /**
   * The result of one pass.
   *
   * @param bytes size of the file
   * @param writeNs from a table in memory to the file
   * @param readNs from the file to vectors in memory
   */
  record Pass(long bytes, long writeNs, long readNs) {}

  /** The name and version of the writer. */
  String version();

  /** Loads a column in place of the previous one. */
  void load(ColumnValues values) throws IOException;

  /**
   * Writes and reads the column.
   *
   * @param zstd whether Zstandard compresses the pages, in place of the writer's default
   */
  Pass pass(boolean zstd) throws IOException;

  /** The values in the last written file. */
  ColumnValues read() throws IOException;

  @Override
  void close();
}
