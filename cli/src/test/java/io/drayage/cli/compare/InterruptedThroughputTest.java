package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.rig.Child;
import io.drayage.cli.Drayage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a comparison that SIGTERM ends, like Ctrl-C. */
@Tag("nightly")
final class InterruptedThroughputTest {
  @TempDir private Path folder;

  @Test
  @Timeout(180)
  void leavesNeitherProcessesNorSnapshotsNorAnEarlierResultBehind() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    Path kept = Files.createDirectory(folder.resolve("kept"));
    List<Path> ofTheRunBefore = List.of(kept.resolve("run.json"), kept.resolve("report.html"));
    for (Path file : ofTheRunBefore) {
      Files.writeString(file, "of the run before");
    }
    List<String> command =
        new ArrayList<>(Child.command(Drayage.class, List.of("-Djava.io.tmpdir=" + disk)));
    String arguments =
        "throughput --size=200KB --system=netty:raw+none@2 --iterations=100 --warmup=0 --out=";
    command.addAll(List.of((arguments + kept).split(" ")));
    Process throughput = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      BufferedReader said = awaitIteration(throughput);
      List<ProcessHandle> children = throughput.children().toList();
      assertThat(children).as("worker, transactor, ZooKeeper").hasSize(3);
      assertThat(disk).isNotEmptyDirectory();

      throughput.toHandle().destroy(); // Keeps its output open.

      assertThat(throughput.waitFor(60, TimeUnit.SECONDS)).isTrue();
      for (ProcessHandle child : children) {
        child.onExit().get(60, TimeUnit.SECONDS);
      }
      assertThat(said.lines()).as("its own end").noneMatch(line -> line.contains("exit code"));
      assertThat(disk).isEmptyDirectory();
      assertThat(ofTheRunBefore).allSatisfy(file -> assertThat(file).doesNotExist());
    } finally {
      throughput.destroyForcibly();
    }
  }

  /** Waits for the second step; the first one prepares the system. */
  private static BufferedReader awaitIteration(Process throughput) throws IOException {
    BufferedReader lines = throughput.inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.append(line).append('\n');
      if (line.startsWith("[2/")) {
        return lines;
      }
    }
    throw new AssertionError("it ended early: " + said);
  }
}
