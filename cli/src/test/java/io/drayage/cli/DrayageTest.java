package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class DrayageTest extends CommandFixture {
  private int runLine(String args) {
    return run(args.isEmpty() ? new String[0] : args.split(" "));
  }

  @Test
  void rejectsAFileAsTheFolderOfTheResult(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("taken"));
    assertThat(run("throughput", "--out", file.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("is a file");
  }

  /** To open it would wait for its reader, at the end of the measurement. */
  @Test
  @Timeout(60)
  void rejectsAPipeAsTheResult(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (String command : List.of("sizes", "throughput", "columns thesis")) {
      assertThat(runLine(command + " --json " + pipe)).isEqualTo(CommandLine.ExitCode.USAGE);
    }
    assertThat(err.toString().lines())
        .hasSize(3)
        .allMatch(
            line -> line.contains(pipe + " is a pipe, which may have no reader: name a file"));
    for (String line :
        List.of("report @", "compare @ @", "doctor --config @", "--config=@ doctor")) {
      assertThat(runLine(line.replace("@", pipe.toString()))).isEqualTo(CommandLine.ExitCode.USAGE);
    }
    assertThat(err.toString().lines().skip(3))
        .hasSize(4)
        .allMatch(line -> line.contains(pipe + " is a pipe, which may have no writer: name "));
    assertThat(runLine("cargo show " + pipe)).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(err.toString()).contains(pipe + ": is no regular file, as a cargo is");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "throughput --version", "cargo show --version"})
  void versionNamesTheCommit(String args) {
    assertThat(runLine(args)).isZero();
    assertThat(out.toString()).startsWith("drayage ").contains("commit ");
  }

  @Test
  void everyHelpHasExamplesThatAreNotWrapped() {
    assertFooterWhole(Drayage.commandLine().setUsageHelpAutoWidth(false).setUsageHelpWidth(80));
  }

  private static void assertFooterWhole(CommandLine command) {
    List<String> lines = command.getUsageMessage().lines().toList();
    for (String footer : command.getCommandSpec().usageMessage().footer()) {
      assertThat(lines).contains(footer.replace("%%", "%"));
    }
    if (command.getSubcommands().isEmpty()) {
      assertThat(lines).as(command.getCommandName()).anyMatch(line -> line.startsWith("Example"));
    }
    command.getSubcommands().values().forEach(DrayageTest::assertFooterWhole);
  }
}
