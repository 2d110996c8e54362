package io.drayage.tables;

import io.drayage.cargo.ColumnValues;
import java.io.IOException;

/**
 * A column written to a Parquet file and read back, on one thread, and how long that takes. Not
 * thread-safe.
 */
public interface ParquetTrial extends AutoCloseable {
  /**
   * What one time took.
   *
   * @param bytes of the file
   * @param writeNs from a table in memory to the file
   * @param readNs from the file to vectors in memory
   */
  record Pass(long bytes, long writeNs, long readNs) {}

  /** What writes it, with its version. */
  String version();

  /** Takes a column, instead of the one before. */
  void load(ColumnValues values) throws IOException;

  /**
   * Writes and reads the column.
   *
   * @param zstd whether pages are compressed by Zstandard, not by whatever is the default
   */
  Pass pass(boolean zstd) throws IOException;

  /** The values of the file that was written last. */
  ColumnValues read() throws IOException;

  @Override
  void close();
}
