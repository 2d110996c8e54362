package io.drayage.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary folder for the working database and what does not fit into its memory. */
final class WorkFolder implements AutoCloseable {
  private final Path path;

  WorkFolder() throws IOException {
    path = Files.createTempDirectory("drayage-duckdb");
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.getLogger(WorkFolder.class.getName())
          .log(System.Logger.Level.WARNING, "{0} is left behind: {1}", path, e.getMessage());
    }
  }
}
