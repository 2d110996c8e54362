package io.drayage.bench.result;

import java.io.IOException;
import java.nio.file.Path;

/** The result of a command, for its file. */
public interface KeptResult {
  /** Whether all measurements succeeded. */
  boolean allOk();

  /**
   * Writes the result as JSON. Null is written as null.
   *
   * @throws IOException if the file cannot be written
   */
  default void writeTo(Path file) throws IOException {
    JsonFile.write(file, this);
  }
}
