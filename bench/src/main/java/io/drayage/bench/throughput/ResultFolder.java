package io.drayage.bench.throughput;

import io.drayage.bench.result.ThroughputResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the logs of the child processes go, and the result if it is to be kept.
 *
 * @param logs the folder of the logs
 * @param result the file of the result; null if nothing is to be kept
 */
record ResultFolder(Path logs, @Nullable Path result) {
  /**
   * Makes the folder that the user named, or a temporary one.
   *
   * @throws IOException if it cannot be made
   */
  static ResultFolder open(@Nullable Path folder) throws IOException {
    return folder == null
        ? new ResultFolder(Files.createTempDirectory("drayage-"), null)
        : new ResultFolder(
            Files.createDirectories(folder.resolve("logs")), folder.resolve("run.json"));
  }

  /** Writes the result, or deletes the logs if nobody will look at them. */
  void keep(ThroughputResult outcome) throws IOException {
    if (result != null) {
      outcome.writeTo(result);
    } else if (outcome.allOk()) {
      deleteLogs();
    }
  }

  private void deleteLogs() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(logs);
  }
}
