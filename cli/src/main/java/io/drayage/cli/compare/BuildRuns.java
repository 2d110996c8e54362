package io.drayage.cli.compare;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.internal.FolderLock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs of two builds alternately, A B, B A, A B, so that changes on the machine affect both.
 *
 * @param builds two folders, each with a {@code drayage} to start
 * @param system to run
 * @param runs number of runs of each build
 * @param folder receives the results and the output of the runs
 */
record BuildRuns(List<Path> builds, SystemUnderTest system, ByteSize size, int runs, Path folder) {
  /** The fastest system of the default run. */
  static final String DEFAULT_SYSTEM = "netty:raw+none@cores";

  private static final String LAUNCHER = "drayage";
  private static final List<String> NAMES = List.of("base", "new");

  /** Turns of a run. More turns tell less than another run. */
  private static final String TURNS = "15";

  static SystemUnderTest system(String notation) {
    return Systems.notation().parse(notation);
  }

  /**
   * Requires that both builds can be started.
   *
   * @throws IllegalArgumentException if one cannot be started
   */
  Void requireBuilds() {
    for (Path build : builds) {
      if (!Files.isExecutable(build.resolve(LAUNCHER))) {
        throw new IllegalArgumentException(
            "--run %s: no build: there is no %s to start in it".formatted(build, LAUNCHER));
      }
    }
    return null;
  }

  /**
   * Makes the runs.
   *
   * @param err receives the progress
   * @return the folders of the runs of each build
   * @throws IOException if a run fails or cannot be started, or the folder is in use
   */
  List<List<Path>> make(PrintWriter err) throws IOException, InterruptedException {
    List<List<Path>> made = List.of(new ArrayList<>(), new ArrayList<>());
    int steps = 2 * runs;
    FolderLock taken = ResultFolder.lock(folder);
    try (StepDisplay display = StepDisplay.onStandardError("compare", steps, err)) {
      for (int i = 0; i < steps; i++) {
        int build = (i + 1) / 2 % 2;
        Path run = folder.resolve(format("%s-%d", NAMES.get(build), i / 2 + 1));
        display.step(i, steps, format("%s, run %d of %d", builds.get(build), i / 2 + 1, runs));
        run(builds.get(build), run);
        made.get(build).add(run);
      }
    } finally {
      taken.close();
    }
    return made;
  }

  /** Runs the build with this JDK, and not with the JDK that it would choose. */
  private void run(Path build, Path run) throws IOException, InterruptedException {
    Files.createDirectories(run);
    Path log = run.resolve("output.log");
    ProcessBuilder command =
        new ProcessBuilder(
                build.resolve(LAUNCHER).toAbsolutePath().toString(),
                "throughput",
                "--system",
                system.toString(),
                "--size",
                size.text(),
                "--iterations",
                TURNS,
                "--out",
                run.toAbsolutePath().toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    command.environment().put("DRAYAGE_JAVA_HOME", System.getProperty("java.home"));
    command.environment().put("DRAYAGE_BROWSER", "none");
    Process process = command.start();
    process.getOutputStream().close();
    try {
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(
            format("%s throughput ended with exit code %d (log: %s)", build, code, log));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }
}
