package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class DrayageTest extends CommandFixture {
  private int runLine(String args) {
    return run(args.isEmpty() ? new String[0] : args.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|throughput",
        "througput|did you mean",
        "throughput --sise 1GB|did you mean --size",
        "throughput --size big|such as 100MB",
        "throughput --size 10B|limits of 10,000",
        "throughput --size 900TB|limits of",
        "throughput --size 1TB|ship less (--size, --cargo), with fewer workers",
        "throughput --cargo nothing|thesis",
        "throughput --system netty|TRANSPORT:SERIALIZER+COMPRESSOR",
        "throughput --system tcp:raw+none|choose grpc, grpc-tuned, netty",
        "throughput --system netty:xml+none|choose java",
        "throughput --system netty:raw+rar|unknown compressor",
        "throughput --system netty:raw+none:3|has no levels",
        "throughput --system netty:raw+none@0|1 to 1024, or cores",
        "throughput --system netty:raw+none@1,netty:raw+none@1|named twice",
        "throughput --iterations 0|1 to 1,000",
        "throughput --iterations two|two",
        "throughput --budget 5|write 90s, 5m",
        "throughput --budget 0s|--budget must be 1s to 24h, not 0s",
        "throughput --budget -1s|1s to 24h, not -1s",
        "throughput --budget 25h|1s to 24h, not 25h",
        "throughput --budget 20s --iterations 3|as many as fit: give one",
        "throughput --size 0|'0' must be at least 1 byte",
        "throughput --preset all|choose default, study",
        "throughput --preset peers --system netty:raw+none@1|has systems of its own",
        "ladder --preset study|is a preset itself",
        "ladder --tls|a preset has systems without TLS",
        "throughput --segment-size 63KiB|64KiB to 4MiB",
        "throughput --segment-size 5MiB|64KiB to 4MiB",
        "throughput --chunk-size 999|1KB to 4MiB",
        "throughput --chunk-size 5MiB|1KB to 4MiB",
        "throughput --tls --system grpc:java+none|no TLS",
        "throughput --connections 0|1 to 16",
        "throughput --connections 17|1 to 16",
        "throughput --warmup -1|0 to 1,000",
        "throughput --json /nowhere/at/all.json|a folder that exists",
        "throughput --out|--out",
        "throughput --link 1tbit|is not the rate of a link",
        "ladder --size 10B|limits of 10,000",
        "ladder --size 1TB|ship less (--size, --cargo)",
        "ladder --iterations 0|1 to 1,000",
        "ceiling --size 9KB|10KB to 1TB",
        "ceiling --link 200gbit|must be loopback or 1mbit to 100gbit",
        "ceiling --disk /nowhere/at/all|is no folder",
        "ceiling --iterations 0|1 to 1,000",
        "sizes --codec xml+none|serializer 'xml' is unknown",
        "sizes --codec raw+none:3|has no levels",
        "sizes --codec raw+none@2|such as kryo+lz4",
        "sizes --form file|expected one of",
        "sizes --codec raw --without-flush|none is to be measured",
        "sizes --size 10B|limits of 10,000",
        "sizes --cargo nothing|thesis",
        "sizes --json /nowhere/at/all.json|a folder that exists",
        "serialization --codec xml+none|serializer 'xml' is unknown",
        "serialization --iterations 0|1 to 1,000",
        "serialization --forks 0|1 to 1,000",
        "serialization --size 1TB|measure a smaller one",
        "deserialization --warmup -1|0 to 1,000",
        "deserialization --codec java --without-flush|none is to be measured",
        "cargo show gr\ufffdn.cargo|the argument 'gr\ufffdn.cargo' is not in UTF-8: convert it",
        "snapshot list --store fs:gr\ufffdn|the argument 'fs:gr\ufffdn' is not in UTF-8: convert it",
      })
  void wrongUsageEndsWithCode2AndOneLineThatSaysWhatWouldBeRight(String args, String hint) {
    int code = runLine(args);
    assertThat(code).as(err.toString()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("drayage: ").contains(hint).contains("--help");
    assertThat(out.toString()).isEmpty();
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
  @ValueSource(
      strings = {
        "--help",
        "throughput --help",
        "ladder --help",
        "ceiling --help",
        "sizes --help",
        "serialization --help",
        "deserialization --help",
        "doctor --help",
        "cargo --help",
        "cargo write --help",
        "cargo show --help",
        "columns --help"
      })
  void helpHasAnExample(String args) {
    assertThat(runLine(args)).isZero();
    assertThat(out.toString()).contains("Example").contains("drayage ");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "throughput --version", "cargo show --version"})
  void versionNamesTheCommit(String args) {
    assertThat(runLine(args)).isZero();
    assertThat(out.toString()).startsWith("drayage ").contains("commit ");
  }

  @Test
  void examplesAreNotWrapped() {
    assertFooterWhole(Drayage.commandLine().setUsageHelpAutoWidth(false).setUsageHelpWidth(80));
  }

  private static void assertFooterWhole(CommandLine command) {
    List<String> lines = command.getUsageMessage().lines().toList();
    for (String footer : command.getCommandSpec().usageMessage().footer()) {
      assertThat(lines).contains(footer.replace("%%", "%"));
    }
    command.getSubcommands().values().forEach(DrayageTest::assertFooterWhole);
  }
}
