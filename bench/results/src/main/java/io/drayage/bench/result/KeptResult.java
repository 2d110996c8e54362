package io.drayage.bench.result;

import java.io.IOException;
import java.nio.file.Path;

/** The result of a command, as it is kept. */
public interface KeptResult {
  /** Whether nothing that was measured failed. */
  boolean allOk();

  /**
   * Writes the result as JSON; what is null is written as null.
   *
   * @throws IOException if the file cannot be written
   */
  default void writeTo(Path file) throws IOException {
    JsonFile.write(file, this);
  }
}
