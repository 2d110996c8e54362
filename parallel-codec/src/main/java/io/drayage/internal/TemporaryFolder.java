package io.drayage.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder that is deleted with its content when it is closed, and when this JVM ends. If the JVM
 * is killed, the next folder with the same prefix, user and parent deletes it: a {@link FolderLock}
 * shows that nobody uses it any more. An empty folder without a lock file is deleted after a day.
 * On a file system without locks, no other folder is deleted. Thread-safe.
 */
public final class TemporaryFolder implements AutoCloseable {
  /** Attempts to delete: a killed process may write a moment longer. */
  private static final int ATTEMPTS = 100;

  private static final long PAUSE_MS = 20;

  /** Every process makes its lock within this time. */
  private static final Duration OLD = Duration.ofDays(1);

  private final Path path;
  private final FolderLock lock;
  private final Thread atExit;

  private TemporaryFolder(Path path, FolderLock lock, Runnable beforeExit) {
    this.path = path;
    this.lock = lock;
    this.atExit =
        new Thread(
            () -> {
              beforeExit.run();
              close();
            },
            "delete-" + path.getFileName());
    try {
      Runtime.getRuntime().addShutdownHook(atExit);
    } catch (IllegalStateException e) {
      close();
      throw e;
    }
  }

  /** Makes a folder among the system's temporary files. The name begins with this prefix. */
  public static TemporaryFolder make(String prefix) throws IOException {
    return make(null, prefix, () -> {});
  }

  /**
   * Makes a folder. Deletes the folders with the same prefix, user and parent whose JVM is gone.
   *
   * @param parent must exist; null for the system's temporary files
   * @param beforeExit runs before the folder is deleted at the end of this JVM, to end its writers
   * @throws IOException if the folder cannot be made; the message has {@code parent}
   */
  public static TemporaryFolder make(@Nullable Path parent, String prefix, Runnable beforeExit)
      throws IOException {
    Path where = parent == null ? Path.of(System.getProperty("java.io.tmpdir")) : parent;
    deleteLeft(where, prefix); // First, since old folders may have filled the disk.
    try {
      while (true) {
        Path made = Files.createTempDirectory(where, prefix);
        FolderLock lock = lockOrDelete(made);
        if (lock != null && !lock.isGone()) {
          return new TemporaryFolder(made, lock, beforeExit);
        }
        if (lock != null) { // Another process saw no lock, and deleted it.
          lock.close();
        }
      }
    } catch (IOException e) {
      throw parent == null ? unusable(where, e) : e;
    }
  }

  private static @Nullable FolderLock lockOrDelete(Path made) throws IOException {
    try {
      return FolderLock.tryLock(made);
    } catch (IOException e) {
      deleteAll(made);
      throw e;
    }
  }

  private static IOException unusable(Path where, IOException e) {
    String reason =
        e instanceof NoSuchFileException
            ? "no such folder"
            : e instanceof FileSystemException named ? named.getReason() : e.getMessage();
    return new IOException(
        "no temporary folder can be made in %s (%s): name another one, DRAYAGE_JAVA_OPTS=-Djava.io.tmpdir=DIR"
            .formatted(where, Objects.requireNonNullElse(reason, e.getClass().getSimpleName())),
        e);
  }

  private static void deleteLeft(Path parent, String prefix) {
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(
            parent, path -> String.valueOf(path.getFileName()).startsWith(prefix))) {
      UserPrincipal user = user(parent);
      for (Path folder : folders) {
        deleteIfLeft(folder, user);
      }
    } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
      // Old folders only cost space.
    }
  }

  /** The user of this process. Some containers have no name for the user. */
  private static UserPrincipal user(Path parent) throws IOException {
    Path self = Path.of("/proc/self");
    return Files.exists(self)
        ? Files.getOwner(self)
        : parent
            .getFileSystem()
            .getUserPrincipalLookupService()
            .lookupPrincipalByName(System.getProperty("user.name"));
  }

  private static void deleteIfLeft(Path folder, UserPrincipal user) {
    try {
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user)) {
        try (FolderLock left = FolderLock.tryLockLeft(folder)) {
          if (left != null) {
            deleteAll(folder);
          } else if (isOld(folder)) {
            Files.deleteIfExists(folder); // Fails unless the folder is empty.
          }
        }
      }
    } catch (IOException e) {
      // Old folders only cost space.
    }
  }

  private static boolean isOld(Path folder) throws IOException {
    Instant made = Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
    return made.isBefore(Instant.now().minus(OLD));
  }

  public Path path() {
    return path;
  }

  /**
   * Checks that this JVM is not ending.
   *
   * @throws InterruptedException if it is ending: then lost processes are no failure
   */
  public void requireRunning() throws InterruptedException {
    Thread probe = new Thread(() -> {}, "never started");
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
    } catch (IllegalStateException e) {
      InterruptedException ending = new InterruptedException("the JVM is shutting down");
      ending.initCause(e);
      throw ending;
    }
  }

  /**
   * Keeps the folder for ever. To be called in place of {@link #close}.
   *
   * @throws IOException if the lock file, by which a folder of a killed JVM is recognized, remains
   */
  public void keep() throws IOException {
    Files.deleteIfExists(path.resolve(FolderLock.FILE));
    release();
  }

  /**
   * Deletes the folder. A failure is only logged, because a result is worth more than an old
   * folder. May be called again.
   */
  @Override
  public synchronized void close() {
    try {
      deleteWithPatience();
    } catch (IOException e) {
      System.getLogger(TemporaryFolder.class.getName())
          .log(Level.WARNING, "{0} could not be deleted: {1}", path, e.toString());
    }
    release();
  }

  private void release() {
    try {
      lock.close();
    } catch (IOException e) {
      // The lock's file is gone.
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

  /** Deletes a folder with its content, if it exists. */
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
