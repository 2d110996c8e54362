package io.drayage.bench.result;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the logs of the child processes go, and the result if it is to be kept.
 *
 * @param logs the folder of the logs
 * @param result the file of the result; null if nothing is to be kept
 */
public record ResultFolder(Path logs, @Nullable Path result) {
  private static final String GROUP = "group-";

  /**
   * Makes the folder that the user named, or a temporary one. The logs of an earlier comparison in
   * the same folder are deleted: its result will be replaced too.
   *
   * @throws IOException if it cannot be made
   */
  public static ResultFolder open(@Nullable Path folder) throws IOException {
    if (folder == null) {
      return new ResultFolder(Files.createTempDirectory("drayage-"), null);
    }
    Path logs = Files.createDirectories(folder.resolve("logs"));
    deleteLogs(logs);
    return new ResultFolder(logs, folder.resolve("run.json"));
  }

  /** Writes the result, or deletes the logs if nobody will look at them. */
  public void keep(KeptResult outcome) throws IOException {
    if (result != null) {
      outcome.writeTo(result);
    } else if (outcome.allOk()) {
      deleteLogs(logs);
      Files.delete(logs);
    }
  }

  /**
   * A folder of its own for the logs of one part of a comparison.
   *
   * @throws IOException if it cannot be made
   */
  public Path logsOfGroup(int number) throws IOException {
    return Files.createDirectories(logs.resolve(GROUP + number));
  }

  private static void deleteLogs(Path folder) throws IOException {
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.log")) {
      for (Path log : logs) {
        Files.delete(log);
      }
    }
    try (DirectoryStream<Path> groups = Files.newDirectoryStream(folder, GROUP + "*")) {
      for (Path group : groups) {
        deleteLogs(group);
        Files.delete(group);
      }
    }
  }
}
