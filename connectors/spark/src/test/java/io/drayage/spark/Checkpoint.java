package io.drayage.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The folder of a stream's state for its next start. */
final class Checkpoint {
  private Checkpoint() {}

  /**
   * Removes the last commit of a stopped stream, so that the stream repeats this epoch.
   *
   * @return whether it had committed one
   */
  static boolean forgetNewestCommit(Path checkpoint) throws IOException {
    Path commits = checkpoint.resolve("commits");
    if (!Files.isDirectory(commits)) {
      return false;
    }
    Optional<Path> newest;
    try (Stream<Path> files = Files.list(commits)) {
      newest =
          files
              .filter(each -> each.getFileName().toString().matches("[0-9]+"))
              .max(Comparator.comparingLong(each -> Long.parseLong(each.getFileName().toString())));
    }
    if (newest.isPresent()) {
      Files.delete(newest.get());
      Files.deleteIfExists(commits.resolve("." + newest.get().getFileName() + ".crc"));
    }
    return newest.isPresent();
  }

  static void copy(Path checkpoint, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(checkpoint)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(checkpoint.relativize(file).toString()));
      }
    }
  }
}
