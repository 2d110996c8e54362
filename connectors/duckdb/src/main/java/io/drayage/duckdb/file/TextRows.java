package io.drayage.duckdb.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a text file, one after the other. Not thread-safe. */
interface TextRows extends Closeable {
  /** The columns that are known by now. JSON may name another one in its last row. */
  List<String> names();

  /**
   * Goes to the next row.
   *
   * @return false if there is none
   * @throws IOException if it is none, naming file and line
   */
  boolean next() throws IOException;

  /** A value of the row, overwritten by the next row; null for what the row does not have. */
  @Nullable Cell cell(int column);
}
