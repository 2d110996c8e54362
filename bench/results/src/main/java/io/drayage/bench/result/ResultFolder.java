package io.drayage.bench.result;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the logs of the child processes go, and the result if it is to be kept.
 *
 * @param logs the folder of the logs
 * @param result the file of the result; null if nothing is to be kept
 */
public record ResultFolder(Path logs, @Nullable Path result) {
  /** The result's name in the folder of a run. */
  public static final String RESULT = "run.json";

  /** The page's. */
  public static final String PAGE = "report.html";

  /** The folder of the page's charts as {@code .png} files. */
  public static final String CHARTS = "charts";

  /** Below the current folder, for runs whose folder is not named. */
  private static final String PARENT = "drayage-runs";

  private static final String GROUP = "group-";
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /**
   * Makes the folder that the user named, or a temporary one. The logs of an earlier run in the
   * same folder are deleted.
   *
   * @throws IOException if it cannot be made
   */
  public static ResultFolder open(@Nullable Path folder) throws IOException {
    if (folder == null) {
      return new ResultFolder(Files.createTempDirectory("drayage-"), null);
    }
    Path logs = Files.createDirectories(folder.resolve("logs"));
    deleteLogs(logs);
    return new ResultFolder(logs, folder.resolve(RESULT));
  }

  /**
   * The same for a result that is kept if the user named a folder. That of an earlier run in the
   * same folder is deleted too: should this one be interrupted, it would look like its.
   *
   * @throws IOException if it cannot be made
   */
  public static ResultFolder openForResult(@Nullable Path folder) throws IOException {
    ResultFolder opened = open(folder);
    if (opened.result != null) {
      Files.deleteIfExists(opened.result);
    }
    return opened;
  }

  /**
   * Makes the folder that the user named, or a new one below the current folder, for a result that
   * is kept in any case, with a page. What an earlier run left of these is deleted as well.
   *
   * @param command names a new folder
   * @throws IOException if it cannot be made
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
   * Makes a new folder below the current one. Its name is the time.
   *
   * @param command ends the name
   * @throws IOException if it cannot be made
   */
  public static Path newBelowHere(String command) throws IOException {
    Path parent = Files.createDirectories(Path.of(PARENT));
    String name = NAME.format(Instant.now()) + "-" + command;
    for (int number = 1; ; number++) {
      try {
        return Files.createDirectory(parent.resolve(number == 1 ? name : name + "-" + number));
      } catch (FileAlreadyExistsException e) {
        // Another command began in the same second.
      }
    }
  }

  /** The folder of the logs and the result. */
  public Path path() {
    return Objects.requireNonNull(logs.getParent());
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

  /**
   * Deletes what an earlier run left.
   *
   * @param glob which files of the folder
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
