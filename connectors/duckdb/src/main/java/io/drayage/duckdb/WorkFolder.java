package io.drayage.duckdb;

import io.drayage.internal.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;

/** A temporary folder for the working database and for data that exceeds its memory. */
final class WorkFolder implements AutoCloseable {
  private final TemporaryFolder folder = TemporaryFolder.make("drayage-duckdb-");

  WorkFolder() throws IOException {}

  Path path() {
    return folder.path();
  }

  @Override
  public void close() {
    folder.close();
  }
}
