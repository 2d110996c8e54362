package io.drayage.bench.environment;

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
 * A folder that is deleted with all that is in it when it is closed, and also when this JVM ends,
 * however that ends unless it is killed. Thread-safe.
 */
public final class TemporaryFolder implements AutoCloseable {
  /** A process that was killed may go on writing for a moment. */
  private static final int ATTEMPTS = 100;

  private static final long PAUSE_MS = 20;

  private final Path path;
  private final Thread atExit;
  private volatile boolean exiting;

  private TemporaryFolder(Path path, Runnable beforeExit) {
    this.path = path;
    this.atExit =
        new Thread(
            () -> {
              exiting = true;
              beforeExit.run();
              close();
            },
            "delete-" + path.getFileName());
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Makes one among the system's temporary files; its name begins with this prefix. */
  public static TemporaryFolder make(String prefix) throws IOException {
    return make(null, prefix, () -> {});
  }

  /**
   * Makes one.
   *
   * @param parent where it is made; it exists. Null for the system's temporary files
   * @param beforeExit what is done before it is deleted when this JVM ends: to end who writes there
   */
  public static TemporaryFolder make(@Nullable Path parent, String prefix, Runnable beforeExit)
      throws IOException {
    return new TemporaryFolder(
        parent == null
            ? Files.createTempDirectory(prefix)
            : Files.createTempDirectory(parent, prefix),
        beforeExit);
  }

  public Path path() {
    return path;
  }

  /**
   * Requires that this JVM goes on.
   *
   * @throws InterruptedException if it is ending: processes that are gone are nobody's failure
   */
  public void requireRunning() throws InterruptedException {
    if (exiting) {
      throw new InterruptedException("the JVM is shutting down");
    }
  }

  /**
   * Deletes it, or logs why not: what was made is worth more than a folder that is left. May be
   * called again.
   */
  @Override
  public synchronized void close() {
    try {
      deleteWithPatience();
    } catch (IOException e) {
      System.getLogger(TemporaryFolder.class.getName())
          .log(Level.WARNING, "{0} is left behind: {1}", path, e.toString());
    }
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is ending.
    }
  }

  private void deleteWithPatience() throws IOException {
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
  public static void deleteAll(Path root) throws IOException {
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
