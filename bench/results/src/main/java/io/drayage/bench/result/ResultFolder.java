package io.drayage.bench.result;

import io.drayage.internal.Begun;
import io.drayage.internal.FolderLock;
import io.drayage.internal.TemporaryFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The folder for the logs of the child processes, and for the result if it is kept. A folder that
 * the user named belongs to one run at a time. Not thread-safe.
 */
public final class ResultFolder implements AutoCloseable {
  /** The result's name in the folder of a run. */
  public static final String RESULT = "run.json";

  /** The page's name in the folder of a run. */
  public static final String PAGE = "report.html";

  /** The folder of the page's charts as {@code .png} files. */
  public static final String CHARTS = "charts";

  /** The parent of folders that the user did not name, below the current folder. */
  private static final String PARENT = "drayage-runs";

  private static final String GROUP = "group-";
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path path;
  private final @Nullable Path result;
  private final @Nullable FolderLock lock;
  private final @Nullable TemporaryFolder temporary;
  private boolean isNeeded = true;

  private ResultFolder(
      Path path,
      @Nullable Path result,
      @Nullable FolderLock lock,
      @Nullable TemporaryFolder temporary) {
    this.path = path;
    this.result = result;
    this.lock = lock;
    this.temporary = temporary;
  }

  /**
   * Makes the folder that the user named, or a temporary one. Deletes the logs of an earlier run in
   * the same folder.
   *
   * @throws FileSystemException if another run uses the folder; the message names it
   * @throws IOException if it cannot be made
   */
  public static ResultFolder open(@Nullable Path folder) throws IOException {
    return open(folder, false);
  }

  private static ResultFolder open(@Nullable Path folder, boolean isKept) throws IOException {
    ResultFolder opened;
    if (folder == null) {
      TemporaryFolder made = TemporaryFolder.make("drayage-result-");
      opened =
          new ResultFolder(made.path(), isKept ? made.path().resolve(RESULT) : null, null, made);
    } else {
      opened = new ResultFolder(folder, folder.resolve(RESULT), lock(folder), null);
    }
    try (Begun begun = new Begun(opened::close)) {
      deleteLogs(Files.createDirectories(opened.logs()));
      return begun.keep(opened);
    }
  }

  /**
   * Makes the folder that the user named, and locks it until the lock is closed.
   *
   * @throws FileSystemException if another run uses the folder; the message names it
   * @throws IOException if it cannot be made
   */
  public static FolderLock lock(Path folder) throws IOException {
    FolderLock lock = FolderLock.tryLock(Files.createDirectories(folder));
    if (lock == null) {
      throw new FileSystemException(
          folder.toString(),
          null,
          "another run keeps its result there: wait for its end, or name another folder (--out)");
    }
    return lock;
  }

  /**
   * Opens a folder like {@link #open}, for a result that is kept if the user named a folder. Also
   * deletes the result of an earlier run there, so that an interrupted run does not seem to own it.
   *
   * @throws IOException as {@link #open}
   */
  public static ResultFolder openForResult(@Nullable Path folder) throws IOException {
    return withoutResult(open(folder));
  }

  /**
   * Opens a folder like {@link #openForResult}, for a result that is always kept.
   *
   * @throws IOException as {@link #open}
   */
  public static ResultFolder openForKeptResult(@Nullable Path folder) throws IOException {
    return withoutResult(open(folder, true));
  }

  private static ResultFolder withoutResult(ResultFolder opened) throws IOException {
    if (opened.result != null) {
      Files.deleteIfExists(opened.result);
    }
    return opened;
  }

  /**
   * Opens the folder that the user named, or a new one below the current folder, for a result that
   * is always kept, and a page. Also deletes the result, page and charts of an earlier run.
   *
   * @param command names a new folder
   * @throws IOException as {@link #open}
   */
  public static ResultFolder openKept(@Nullable Path folder, String command) throws IOException {
    ResultFolder opened = openForResult(folder == null ? newBelowHere(command) : folder);
    Files.deleteIfExists(opened.path().resolve(PAGE));
    Path charts = opened.path().resolve(CHARTS);
    if (Files.isDirectory(charts)) {
      deleteAll(charts, "*.png");
    }
    return opened;
  }

  /**
   * Makes a new folder below the current one, named by the time.
   *
   * @param command ends the name
   * @throws IOException if it cannot be made
   */
  public static Path newBelowHere(String command) throws IOException {
    Path parent = Files.createDirectories(Path.of(PARENT));
    String name = timeOfName() + "-" + command;
    for (int number = 1; ; number++) {
      try {
        return Files.createDirectory(parent.resolve(number == 1 ? name : name + "-" + number));
      } catch (FileAlreadyExistsException e) {
        // Another command began in the same second.
      }
    }
  }

  /** Returns the time as a name begins with it: the order of such names is that of time. */
  public static String timeOfName() {
    return NAME.format(Instant.now());
  }

  /** The folder of the logs and the result. */
  public Path path() {
    return path;
  }

  /** The folder of the logs. */
  public Path logs() {
    return path.resolve("logs");
  }

  /** Writes the result, or lets the logs be deleted if nobody needs them. */
  public void keep(Result<?> outcome) throws IOException {
    if (result != null) {
      outcome.writeTo(result);
    } else {
      isNeeded = !outcome.allOk();
    }
  }

  /** Unlocks the folder, or deletes a temporary one of a run without errors. */
  @Override
  public void close() throws IOException {
    if (temporary != null && isNeeded) {
      temporary.keep();
    } else if (temporary != null) {
      temporary.close();
    }
    if (lock != null) {
      lock.close();
    }
  }

  /**
   * Makes a folder for the logs of one part of a comparison.
   *
   * @throws IOException if it cannot be made
   */
  public Path logsOfGroup(int number) throws IOException {
    return Files.createDirectories(logs().resolve(GROUP + number));
  }

  /**
   * Deletes files of an earlier run.
   *
   * @param glob the files of the folder
   */
  public static void deleteAll(Path folder, String glob) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  private static void deleteLogs(Path folder) throws IOException {
    deleteAll(folder, "*.log");
    try (DirectoryStream<Path> groups = Files.newDirectoryStream(folder, GROUP + "*")) {
      for (Path group : groups) {
        deleteLogs(group);
        Files.delete(group);
      }
    }
  }
}
