package io.drayage.bench.rig.node;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The large files of the last database, which the next one writes over. New files would take new
 * memory of the page cache, and a virtual machine that has given its free memory back to the host
 * needs seconds a gigabyte for that. Not thread-safe.
 */
final class SpareFiles {
  private static final long LARGE_BYTES = 1 << 20;

  private final Path kept;
  private final Path offered;

  /**
   * @param folder on the disk of the databases
   */
  SpareFiles(Path folder) throws IOException {
    this.kept = Files.createDirectory(folder.resolve("kept"));
    this.offered = Files.createDirectory(folder.resolve("offered"));
  }

  /** The folder of those to write over. */
  Path offered() {
    return offered;
  }

  /** Keeps the files of a store that has ended, instead of those before. */
  void keep(Path store) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(store)) {
      files = all.filter(SpareFiles::isLarge).toList();
    }
    moveAll(offered, kept);
    if (files.isEmpty()) {
      return;
    }
    try (DirectoryStream<Path> before = Files.newDirectoryStream(kept)) {
      for (Path file : before) {
        Files.delete(file);
      }
    }
    for (Path file : files) {
      Files.move(file, kept.resolve(file.getFileName()));
    }
  }

  private static boolean isLarge(Path file) {
    return Files.isRegularFile(file) && file.toFile().length() >= LARGE_BYTES;
  }

  /** Offers those that are kept. */
  void offer() throws IOException {
    moveAll(kept, offered);
  }

  private static void moveAll(Path from, Path to) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        Files.move(file, to.resolve(file.getFileName()));
      }
    }
  }
}
