package io.drayage.duckdb.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a text file, one after another. Not thread-safe. */
interface TextRows extends Closeable {
  /** Returns the columns so far. The last row of JSON may add another one. */
  List<String> names();

  /**
   * Reads the next row.
   *
   * @return false if there is none
   * @throws IOException if it is wrong, with file and line
   */
  boolean next() throws IOException;

  /** Returns a value of the row, which the next row overwrites; null if the row has none. */
  @Nullable Cell cell(int column);
}
