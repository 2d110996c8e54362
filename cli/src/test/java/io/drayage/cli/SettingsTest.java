package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class SettingsTest {
  private final Map<String, String> environment = new HashMap<>();

  @TempDir private Path folder;

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("drayage.conf"), List.of(lines));
  }

  private String value(String option, String... args) {
    CommandLine root = Drayage.commandLine(environment::get);
    CommandLine.ParseResult parsed = root.parseArgs(args);
    while (parsed.hasSubcommand()) {
      parsed = parsed.subcommand();
    }
    Object value = parsed.commandSpec().findOption(option).getValue();
    return String.valueOf(value);
  }

  @Test
  void aFileSetsAnyOptionOfACommand() throws IOException {
    Path file = file("size = 2GB", "link-rate = 10gbit", "tls = true", "system = netty:raw+none@2");
    String config = "--config=" + file;
    assertThat(value("--size", "throughput", config)).isEqualTo("2GB");
    assertThat(value("--tls", "throughput", config)).isEqualTo("true");
    assertThat(value("--system", "throughput", config)).contains("netty:raw+none@2");
    assertThat(value("--size", "ladder", config)).isEqualTo("2GB");
    assertThat(value("--size", "throughput", "--size=3GB", config)).isEqualTo("3GB");
  }

  @Test
  void theEnvironmentOverridesTheFileAndTheCommandLineBoth() throws IOException {
    Path file = file("size = 2GB");
    environment.put("DRAYAGE_THROUGHPUT_SIZE", "4GB");
    environment.put("DRAYAGE_THROUGHPUT_SEGMENT_SIZE", "2MiB");
    assertThat(value("--size", "throughput", "--config", file.toString())).isEqualTo("4GB");
    assertThat(value("--segment-size", "throughput")).isEqualTo("2MiB");
    assertThat(value("--size", "throughput", "--size=5GB")).isEqualTo("5GB");
    assertThat(value("--size", "ladder", "--config", file.toString())).isEqualTo("2GB");
  }

  @Test
  void commandsBelowCommandsHaveVariablesToo() {
    environment.put("DRAYAGE_CARGO_WRITE_SIZE", "7MB");
    assertThat(value("--size", "cargo", "write", "file")).isEqualTo("7MB");
  }

  @Test
  void theThreadsOfAFileBelongToItsSystem() throws IOException {
    String config = "--config=" + file("system = netty:raw+none@2", "worker-threads = 3");
    assertThat(value("--worker-threads", "throughput", config)).isEqualTo("3");
    assertThat(value("--worker-threads", "throughput", config, "--system=netty:raw+none@1"))
        .isEqualTo("null");
  }

  @Test
  void anUnknownKeyIsWrongUsage() throws IOException {
    StringWriter err = new StringWriter();
    int code =
        Drayage.commandLine(environment::get)
            .setErr(new PrintWriter(err))
            .execute("throughput", "--config=" + file("sise = 2GB"));
    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString())
        .contains("no command has an option --sise", "see 'drayage throughput --help'");
  }

  @Test
  void helpGroupsTheCommands() {
    String help = Drayage.commandLine(environment::get).getUsageMessage();
    assertThat(help)
        .containsSubsequence(
            "Compare:", "throughput", "Explain:", "profile", "Your data:", "Run a cluster:")
        .doesNotContain("Other commands");
  }
}
