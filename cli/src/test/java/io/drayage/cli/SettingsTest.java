package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** The lines of a file, variables without DRAYAGE_, the command, and the value of an option. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "size = 2GB;link-rate = 10gbit;tls = true   | - | throughput            | --size   | 2GB",
        "size = 2GB;link-rate = 10gbit;tls = true   | - | throughput            | --tls    | true",
        "size = 2GB;link-rate = 10gbit;tls = true   | - | ladder                | --size   | 2GB",
        "size = 2GB;link-rate = 10gbit;tls = true   | - | throughput --size=3GB | --size   | 3GB",
        "system = netty:raw+none@2                  | - | throughput | --system | [netty:raw+none@2]",
        "size = 2GB | THROUGHPUT_SIZE=4GB           | throughput            | --size         | 4GB",
        "size = 2GB | THROUGHPUT_SIZE=4GB           | ladder                | --size         | 2GB",
        "-          | THROUGHPUT_SIZE=4GB           | throughput --size=5GB | --size         | 5GB",
        "-          | THROUGHPUT_SEGMENT_SIZE=2MiB  | throughput            | --segment-size | 2MiB",
        "-          | CARGO_WRITE_SIZE=7MB          | cargo write file      | --size         | 7MB",
        // The threads of a file belong to its system.
        "TUNED | -                                  | throughput | --worker-threads | 3",
        "TUNED | - | throughput --system=netty:raw+none@1        | --worker-threads | null",
        "TUNED | THROUGHPUT_SYSTEM=netty:raw+none@1 | throughput | --worker-threads | null",
        // Nodes take the settings of a tuned system.
        "TUNED | -                                  | TRANSACTOR | --threads        | 1",
        "TUNED | -                                  | TRANSACTOR | --system | netty:raw+none@2",
        "TUNED | TRANSACTOR_TRANSACTOR_THREADS=3    | TRANSACTOR | --threads        | 3",
        "TUNED | TRANSACTOR_TRANSACTOR_THREADS=3;TRANSACTOR_THREADS=4 | TRANSACTOR | --threads | 4",
        "TUNED | -                                  | FOLLOW     | --connections    | 2",
        "TUNED | -                                  | FOLLOW     | --segment-size   | 1MiB",
        "TUNED | WORKER_FOLLOW_WORKER_THREADS=3     | FOLLOW     | --worker-threads | 3",
      })
  void theCommandLineCountsThenTheEnvironmentThenTheFile(
      @Nullable String lines, @Nullable String variables, String args, String option, String value)
      throws IOException {
    String tuned =
        "system = netty:raw+none@2;worker-threads = 3;transactor-threads = 1;connections = 2";
    String line =
        args.replace("TRANSACTOR", "transactor --data=d")
            .replace("FOLLOW", "worker follow --zookeeper=z --store=s");
    if (lines != null) {
      line += " --config=" + file(lines.replace("TUNED", tuned).split(";", -1));
    }
    if (variables != null) {
      for (String variable : variables.split(";", -1)) {
        int end = variable.indexOf('=');
        environment.put("DRAYAGE_" + variable.substring(0, end), variable.substring(end + 1));
      }
    }
    assertThat(value(option, line.split(" ", -1))).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "0 ! throughput --seed=3 FILE        ! --seed +3 +command line",
        "0 ! throughput --seed=3 FILE        ! --size +4GB +environment DRAYAGE_THROUGHPUT_SIZE",
        "0 ! throughput --seed=3 FILE        ! --segment-size +2MiB +environment .*_SEGMENT_SIZE",
        "0 ! throughput --seed=3 FILE        ! --iterations +7 +file .*/drayage.conf",
        "0 ! throughput --seed=3 FILE        ! --warmup .* default",
        "0 ! worker follow --table sales     ! --table +sales +command line",
        "0 ! worker follow --table sales     ! --store +- +required",
        // It also has commands of its own.
        "0 ! transactor --name=t1            ! --name +t1 +command line",
        "0 ! transactor --admin=[::1]:9070   ! --admin +\\[::1]:9070 +command line",
        "0 ! transactor --warm-up=90s        ! --warm-up +1m30s +command line",
        "0 ! transactor --warm-up=0          ! --warm-up +0 +command line",
        "0 ! transactor                      ! --listen +127\\.0\\.0\\.1:7070 +default",
        "0 ! transactor                      ! --warm-up +0\\.5s +default",
        "0 ! transactor                      ! --tls-worker +- +default",
        "0 ! tune --threads=1,2              ! --link +loopback +default",
        "0 ! tune --threads=1,2              ! --threads +1,2 +command line",
        "0 ! tune --threads=1,2              ! --compressor +none,lz4,zstd:1 +default",
        "0 ! throughput --system=netty:raw+none --system=grpc:raw+none ! --system +netty:raw\\+none,grpc:raw\\+none +command line",
        "2 ! throughput --sizes=3GB          ! .*--sizes.*",
        "2 ! worker                          ! .*name a command: \\[commit.*",
        "2 ! nothing                         ! .*nothing.*",
      })
  void configShowSaysWhereEachValueComesFrom(int code, String args, String line)
      throws IOException {
    environment.put("DRAYAGE_THROUGHPUT_SEGMENT_SIZE", "2MiB");
    environment.put("DRAYAGE_THROUGHPUT_SIZE", "4GB");
    String config = "--config=" + file("size = 2GB", "iterations = 7");
    assertThat(said(code, "config show " + args.replace("FILE", config)).lines())
        .anyMatch(shown -> shown.matches(line));
  }

  @Test
  void configShowPrintsWhatOneWouldType() {
    assertThat(said(0, "config show profile").lines())
        .noneMatch(line -> line.matches(".*[\\[=].*default"));
  }

  /** Returns all output of a command, and requires its exit code. */
  private String said(int code, String line) {
    StringWriter out = new StringWriter();
    int ended =
        Drayage.commandLine(environment::get)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute(line.split(" ", -1));
    assertThat(ended).as("%s", out).isEqualTo(code);
    return out.toString();
  }

  /** Each command is refused because of the effective value, before anything runs. */
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
        "throughput --preset links --workers 17 | - | - | - | --workers is only for whole commits",
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
    String command = args.replaceFirst(" .*", "");
    if (variable != null) {
      environment.put("DRAYAGE_%s_%s".formatted(command.toUpperCase(Locale.ROOT), variable), value);
    }
    String config = line == null ? "" : " --config=" + file(line);
    assertThat(said(CommandLine.ExitCode.USAGE, args + config)).contains(hint);
  }

  @Test
  void anUnknownKeyIsWrongUsage() throws IOException {
    assertThat(said(CommandLine.ExitCode.USAGE, "throughput --config=" + file("sise = 2GB")))
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
    Path file = Files.write(folder.resolve("latin1.conf"), new byte[] {'a', '=', (byte) 0xfc});
    environment.put("DRAYAGE_CARGO_IMPORT_TABLE", "gr\ufffdn.csv");
    assertThat(said(CommandLine.ExitCode.USAGE, "doctor --config=" + file).lines())
        .singleElement()
        .asString()
        .contains(file + " is not in UTF-8: convert it");
    assertThat(said(CommandLine.ExitCode.USAGE, "cargo import x.cargo").lines())
        .singleElement()
        .asString()
        .contains("DRAYAGE_CARGO_IMPORT_TABLE=gr\ufffdn.csv is not in UTF-8: convert");
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
