package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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
  void configShowSaysWhereEachValueComesFrom() throws IOException {
    Path file = file("size = 2GB", "iterations = 7");
    environment.put("DRAYAGE_THROUGHPUT_SEGMENT_SIZE", "2MiB");
    environment.put("DRAYAGE_THROUGHPUT_SIZE", "4GB");
    List<String> lines = show(0, "throughput", "--seed=3", "--config=" + file);

    assertThat(lines)
        .anyMatch(line -> line.matches("--seed +3 +command line"))
        .anyMatch(line -> line.matches("--size +4GB +environment DRAYAGE_THROUGHPUT_SIZE"))
        .anyMatch(line -> line.matches("--segment-size +2MiB +environment .*_SEGMENT_SIZE"))
        .anyMatch(line -> line.matches("--iterations +7 +file " + file))
        .anyMatch(line -> line.matches("--warmup .* default"));
    assertThat(show(0, "worker", "follow", "--table", "sales"))
        .anyMatch(line -> line.matches("--table +sales +command line"))
        .anyMatch(line -> line.matches("--store +- +required"));
    // It has commands of its own, too.
    assertThat(show(0, "transactor", "--name=t1"))
        .anyMatch(line -> line.matches("--name +t1 +command line"));
  }

  @Test
  void configShowPrintsWhatOneWouldType() {
    assertThat(show(0, "transactor", "--admin=[::1]:9070", "--warm-up=90s"))
        .anyMatch(line -> line.matches("--listen +127\\.0\\.0\\.1:7070 +default"))
        .anyMatch(line -> line.matches("--admin +\\[::1]:9070 +command line"))
        .anyMatch(line -> line.matches("--warm-up +1m30s +command line"));
    assertThat(show(0, "transactor", "--warm-up=0"))
        .anyMatch(line -> line.matches("--warm-up +0 +command line"));
    assertThat(show(0, "transactor"))
        .anyMatch(line -> line.matches("--warm-up +0\\.5s +default"))
        .anyMatch(line -> line.matches("--tls-worker +- +default"));
    assertThat(show(0, "tune", "--threads=1,2"))
        .anyMatch(line -> line.matches("--link +loopback +default"))
        .anyMatch(line -> line.matches("--threads +1,2 +command line"))
        .anyMatch(line -> line.matches("--compressor +none,lz4,zstd:1 +default"));
    assertThat(show(0, "throughput", "--system=netty:raw+none", "--system=grpc:raw+none"))
        .anyMatch(line -> line.matches("--system +netty:raw\\+none,grpc:raw\\+none +command line"));
    assertThat(show(0, "profile")).noneMatch(line -> line.matches(".*[\\[=].*default"));
  }

  @Test
  void configShowRefusesWhatTheCommandRefuses() {
    assertThat(show(2, "throughput", "--sizes=3GB")).anyMatch(line -> line.contains("--sizes"));
    assertThat(show(2, "worker")).anyMatch(line -> line.contains("name a command: [commit"));
    assertThat(show(2, "nothing")).anyMatch(line -> line.contains("nothing"));
  }

  private List<String> show(int code, String... words) {
    List<String> arguments = new ArrayList<>(List.of("config", "show"));
    arguments.addAll(List.of(words));
    StringWriter out = new StringWriter();
    int ended =
        Drayage.commandLine(environment::get)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute(arguments.toArray(String[]::new));
    assertThat(ended).as("%s", out).isEqualTo(code);
    return out.toString().lines().toList();
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
    environment.put("DRAYAGE_THROUGHPUT_SYSTEM", "netty:raw+none@1");
    assertThat(value("--worker-threads", "throughput", config)).isEqualTo("null");
  }

  @Test
  void nodesTakeTheSettingsOfATunedSystem() throws IOException {
    String config =
        "--config="
            + file("system = netty:raw+none@2", "transactor-threads = 1", "connections = 2");
    assertThat(value("--threads", "transactor", "--data=d", config)).isEqualTo("1");
    assertThat(value("--system", "transactor", "--data=d", config)).isEqualTo("netty:raw+none@2");
    environment.put("DRAYAGE_TRANSACTOR_TRANSACTOR_THREADS", "3");
    assertThat(value("--threads", "transactor", "--data=d", config)).isEqualTo("3");
    environment.put("DRAYAGE_TRANSACTOR_THREADS", "4");
    assertThat(value("--threads", "transactor", "--data=d", config)).isEqualTo("4");
    String[] follow = {"worker", "follow", "--zookeeper=z", "--store=s", config};
    assertThat(value("--connections", follow)).isEqualTo("2");
    assertThat(value("--segment-size", follow)).isEqualTo("1MiB");
    environment.put("DRAYAGE_WORKER_FOLLOW_WORKER_THREADS", "3");
    assertThat(value("--worker-threads", follow)).isEqualTo("3");
  }

  /** Each is refused for the value that counts, before anything runs. */
  @ParameterizedTest
  @Timeout(180)
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "ladder | SIZE | 10B | - | limits of 10,000",
        "throughput --preset links | SIZE | 10B | - | limits of 10,000",
        "throughput --preset links | SIZE | 10B | size = 200KB | limits of 10,000",
        "throughput --preset links | - | - | size = 10B | limits of 10,000",
        "ladder | BUDGET | 0s | - | --budget must be 1s to 24h",
        "throughput --preset links | - | - | budget = 0s | --budget must be 1s to 24h",
        "throughput --preset links --workers 17 | COMMIT | whole | - | --workers must be 1 to 16",
        "throughput --preset links --workers 17 | - | - | commit = whole | --workers must be 1 to 16",
        "throughput --preset links --workers 17 | - | - | - | --workers goes with whole commits",
        "throughput --system netty:raw+none@1,netty:raw+none@1 | PRESET | links | - | is named twice",
        "ladder --size 10B | PRESET | links | - | limits of 10,000",
      })
  void settingsCountMoreThanAPresetAndLessThanTheCommandLine(
      String args,
      @Nullable String variable,
      @Nullable String value,
      @Nullable String line,
      String hint)
      throws IOException {
    String[] words = args.split(" ");
    if (variable != null) {
      environment.put(
          "DRAYAGE_%s_%s".formatted(words[0].toUpperCase(Locale.ROOT), variable), value);
    }
    List<String> all = new ArrayList<>(List.of(words));
    if (line != null) {
      all.add("--config=" + file(line));
    }
    StringWriter err = new StringWriter();
    int code =
        Drayage.commandLine(environment::get)
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    assertThat(code).as(err.toString()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(hint);
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

  @ParameterizedTest
  @ValueSource(
      strings = {"${HOME}", "t=SELECT $$${env:HOME}$$", "$", "a$", "$$", "${", "\\${sys:os.name}"})
  void valuesAreWhatTheCommandLineWouldSay(String value) throws IOException {
    assertThat(value("--cargo", "sizes", "--cargo=" + value)).isEqualTo(value);
    assertThat(value("--cargo", "sizes", "--config=" + file("cargo = " + value))).isEqualTo(value);
    environment.put("DRAYAGE_SIZES_CARGO", value);
    assertThat(value("--cargo", "sizes")).isEqualTo(value);
  }

  @Test
  void whatIsNotInUtf8IsWrongUsage() throws IOException {
    StringWriter err = new StringWriter();
    Path file = Files.write(folder.resolve("latin1.conf"), new byte[] {'a', '=', (byte) 0xfc});
    environment.put("DRAYAGE_CARGO_IMPORT_TABLE", "gr\ufffdn.csv");
    CommandLine command = Drayage.commandLine(environment::get).setErr(new PrintWriter(err));
    assertThat(command.execute("doctor", "--config=" + file)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(command.execute("cargo", "import", "x.cargo")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains(file + " is not in UTF-8: convert it"),
            line ->
                assertThat(line)
                    .contains("DRAYAGE_CARGO_IMPORT_TABLE=gr\ufffdn.csv is not in UTF-8: convert"));
  }

  @Test
  void helpGroupsTheCommands() {
    String help = Drayage.commandLine(environment::get).getUsageMessage();
    assertThat(help)
        .containsSubsequence(
            "Compare:", "throughput", "Explain:", "Your data:", "Run a cluster:", "Set up:")
        .doesNotContain("Other commands");
  }
}
