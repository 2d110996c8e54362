package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class DrayageTest extends CommandFixture {
  @Test
  void rejectsAFileAsTheFolderOfTheResult() throws Exception {
    Files.createFile(folder.resolve("taken"));
    assertThat(said(CommandLine.ExitCode.USAGE, "throughput --out ~/taken")).contains("is a file");
  }

  /** Opening the pipe would wait for its reader, at the end of the measurement. */
  @Test
  void rejectsAPipeAsTheResult() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (String command : List.of("sizes", "throughput", "columns thesis")) {
      assertThat(said(CommandLine.ExitCode.USAGE, command + " --json ~/pipe"))
          .hasLineCount(1)
          .contains(pipe + " is a pipe, which may have no reader: name a file");
    }
    for (String line :
        List.of("report @", "compare @ @", "doctor --config @", "--config=@ doctor")) {
      assertThat(said(CommandLine.ExitCode.USAGE, line.replace("@", "~/pipe")))
          .hasLineCount(1)
          .contains(pipe + " is a pipe, which may have no writer: name ");
    }
    assertThat(said(CommandLine.ExitCode.SOFTWARE, "cargo show ~/pipe"))
        .contains(pipe + ": is no regular file: write the cargo to a regular file");
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
