package io.drayage.bench.rig.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where everything is that one run writes to the disk: object stores, ZooKeepers and what else the
 * children make. It belongs to the rig, so that it goes also if a child was killed. Thread-safe.
 */
public final class RunFolder implements AutoCloseable {
  private static final String PREFIX = "drayage-run-";

  /** A child that was killed may go on writing for a moment. */
  private static final int ATTEMPTS = 100;

  private static final long PAUSE_MS = 20;

  private final Path path;

  private RunFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes one.
   *
   * @param parent where it is made; it exists. Null for the temporary folder
   */
  public static RunFolder make(@Nullable Path parent) throws IOException {
    return new RunFolder(
        parent == null
            ? Files.createTempDirectory(PREFIX)
            : Files.createTempDirectory(parent, PREFIX));
  }

  public Path path() {
    return path;
  }

  /** Deletes it, with all that is in it. May be called again. */
  @Override
  public synchronized void close() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        deleteAll(path);
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS || !pause()) {
          throw e;
        }
      }
    }
  }

  /** Deletes it, or logs why not: what was measured is worth more than a folder that is left. */
  public void closeOrWarn() {
    try {
      close();
    } catch (IOException e) {
      System.getLogger(RunFolder.class.getName())
          .log(Level.WARNING, "{0} is left behind: {1}", path, e.toString());
    }
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Deletes a folder with all that is in it, if it is there. */
  static void deleteAll(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      // There is nothing to delete.
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
