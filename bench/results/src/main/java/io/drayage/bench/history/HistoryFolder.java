package io.drayage.bench.history;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.compare.Comparison;
import io.drayage.bench.page.Page;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Status;
import io.drayage.cargo.Names;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * A folder of results over time: a folder for each name, with one file a run in the form of {@link
 * Result}.
 */
public record HistoryFolder(Path path) {
  /** More runs in BASE make an interval little narrower, and are of older builds. */
  private static final int MAX_BASE = 10;

  private static final int MAX_NAME = 100;
  private static final String FILE = ".json";

  /**
   * Requires a name under which runs can be kept, and returns it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static String requireName(String option, String name) {
    boolean isName =
        !name.isBlank()
            && name.length() <= MAX_NAME
            && Names.isPrintable(name)
            && Page.isBeside(name)
            && !name.contains("/")
            && !name.startsWith(".");
    if (!isName) {
      throw new IllegalArgumentException(
          format(
              "%s '%s': a name has 1 to %d printable characters without / \\ : and .., and does not"
                  + " begin with a dot: write main, or feature-x",
              option, Names.printable(name), MAX_NAME));
    }
    return name;
  }

  /**
   * Keeps a result.
   *
   * @return its file
   * @throws IOException if it cannot be written
   */
  public Path keep(String name, Result<?> result) throws IOException {
    Path folder = Files.createDirectories(path.resolve(name));
    String time = ResultFolder.timeOfName();
    Path file = folder.resolve(time + FILE);
    for (int number = 2; Files.exists(file); number++) {
      file = folder.resolve(format("%s-%d%s", time, number, FILE));
    }
    result.writeTo(file);
    return file;
  }

  /**
   * Returns the names with runs, in the order of the alphabet.
   *
   * @throws IOException if the folder cannot be read
   */
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(path, Files::isDirectory)) {
      for (Path folder : folders) {
        String name = folder.getFileName().toString();
        if (!files(name).isEmpty()) {
          names.add(name);
        }
      }
    }
    Collections.sort(names);
    return names;
  }

  private List<Path> files(String name) throws IOException {
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(path.resolve(name))) {
      try (DirectoryStream<Path> kept = Files.newDirectoryStream(path.resolve(name), "*" + FILE)) {
        kept.forEach(files::add);
      }
    }
    Collections.sort(files);
    return files;
  }

  /**
   * Returns the runs of a name in the order of time, each once.
   *
   * @throws IOException if a file cannot be read, or has no run or no time
   */
  public List<ReportRun> runs(String name) throws IOException {
    List<ReportRun> runs = new ArrayList<>();
    for (Path file : files(name)) {
      ReportRun run = ReportRun.read(file);
      if (run.time() == null) {
        throw new IOException(
            "%s has no time of its run (environment.timestamp): remove it from the history"
                .formatted(file));
      }
      if (runs.stream().noneMatch(run::isSameRunAs)) {
        runs.add(run);
      }
    }
    runs.sort(Comparator.comparing(ReportRun::time));
    return runs;
  }

  /**
   * Returns the last 10 runs of a name with which others can be compared: of the same cargo, link
   * and machine, without a failure, and none of these.
   *
   * @param fresh at least one
   * @param acrossMachines whether they may be of other machines
   * @throws IllegalArgumentException if there is none; the message has the reason
   * @throws IOException as {@link #runs}
   */
  public List<ReportRun> baseline(String name, List<ReportRun> fresh, boolean acrossMachines)
      throws IOException {
    List<ReportRun> base = new ArrayList<>();
    String reason = "no run is kept under that name";
    for (ReportRun run : runs(name)) {
      List<String> unlike = Comparison.unlike(run, fresh.get(0), acrossMachines);
      if (fresh.stream().anyMatch(run::isSameRunAs)) {
        reason = "only NEW itself is kept under that name";
      } else if (!unlike.isEmpty()) {
        reason = "%s (BASE is %s)".formatted(String.join("; ", unlike), run.file());
      } else if (run.runs().stream().anyMatch(turn -> turn.status() == Status.FAILED)) {
        reason = "%s has a failure".formatted(run.file());
      } else {
        base.add(run);
      }
    }
    if (base.isEmpty()) {
      throw new IllegalArgumentException(
          "--baseline %s: no run in %s to compare with: %s".formatted(name, path, reason));
    }
    return base.subList(Math.max(0, base.size() - MAX_BASE), base.size());
  }
}
