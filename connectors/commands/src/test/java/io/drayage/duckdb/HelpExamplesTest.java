package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.rig.Child;
import io.drayage.cli.Drayage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Runs the examples of every {@code --help}. The examples below {@code Examples:} run unchanged, in
 * their order, in an empty folder. Another heading names the requirements of its examples.
 */
final class HelpExamplesTest {
  /** The launcher's option for Arrow. */
  private static final String ARROW = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  private static final String AS_THEY_STAND = "Examples:";
  private static final String NODE = "Examples, with the node of 'drayage transactor --data data':";
  private static final String STORE =
      "Examples, with the store of 'drayage transactor --data data':";
  private static final String COPY =
      "Examples, with the copy of 'drayage snapshot copy --to fs:backup':";
  private static final String TABLES = "Examples, with tables of yours:";
  private static final String RUNS = "Examples, with folders of 'drayage throughput --out':";
  private static final String KEPT =
      "Examples, with runs of 'drayage throughput --history history --keep-as main':";
  private static final String TUNED = "Examples, with the file of 'drayage tune':";
  private static final String BOTH_NODES =
      "Examples, with both nodes of the examples of 'drayage transactor':";

  /** Examples that need resources which a test does not have, or has elsewhere. */
  private static final Set<String> NOT_RUN =
      Set.of(
          "Examples, as root:",
          "Examples, beside drayage.jar:",
          "Examples, in a checkout, with another one to compare with:",
          "Examples, with a Python that has pyarrow and vortex:",
          "Examples, with a damaged store and a copy of it:",
          "Examples, with a table of your own:",
          "Examples, with a file of settings:",
          "Examples, with a server of PostgreSQL and its driver:",
          "Examples, with PostgreSQL installed:",
          "Examples, with a server of S3:");

  private static final List<String> RUN =
      List.of(AS_THEY_STAND, TABLES, TUNED, RUNS, KEPT, NODE, BOTH_NODES, STORE, COPY);

  /**
   * Commands that run for minutes, and have tests of their own. The tables of a new database have
   * 4,300,000,000 rows each, which an export writes.
   */
  private static final List<String> SLOW =
      List.of("drayage ladder", "drayage profile", "drayage snapshot export");

  private static final Pattern COMMAND = Pattern.compile("drayage ([^<>)]*)");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final long DEADLINE_S = 900;

  /** Options that shorten an example, if a command has them. */
  private static final Map<String, String> LESS =
      Map.of(
          "--size", "2MB",
          "--iterations", "2",
          "--warmup", "0",
          "--warm-up", "0",
          "--until", "2",
          "--codec", "java");

  @TempDir private Path folder;
  private String zookeeper = "";

  @Test
  void everyExampleIsACommandThatIsTaken() {
    Map<String, List<String>> examples = examples();
    assertThat(examples.keySet())
        .allMatch(heading -> RUN.contains(heading) || NOT_RUN.contains(heading));
    SoftAssertions.assertSoftly(
        softly ->
            examples.values().stream()
                .flatMap(List::stream)
                .filter(line -> !line.startsWith("java "))
                .forEach(
                    line ->
                        softly
                            .assertThatCode(
                                () -> Drayage.commandLine().parseArgs(words(withoutFile(line))))
                            .as(line)
                            .doesNotThrowAnyException()));
  }

  /** Uses smaller sizes, and a free port for a node. */
  @Test
  @Tag("nightly")
  @Timeout(3600)
  void everyExampleRuns() throws Exception {
    Map<String, List<String>> examples = examples();
    Files.createDirectories(folder.resolve("bin"));
    Path script = folder.resolve("bin/drayage");
    String java =
        Child.command(Drayage.class, List.of("-Xmx1g", ARROW)).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    Files.writeString(script, "#!/bin/sh\nexec " + java + " \"$@\"\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    tablesOfYours();
    List<String> failed = new ArrayList<>();
    List<Process> nodes = new ArrayList<>();
    try {
      for (String heading : RUN) {
        for (String line : examples.getOrDefault(heading, List.of())) {
          if (line.startsWith("drayage transactor --")) {
            nodes.add(node(line, nodes.size()));
          } else if (SLOW.stream().noneMatch(line::startsWith)) {
            run(line).ifPresent(failed::add);
          }
        }
        if (heading.equals(TUNED)) {
          for (String run :
              "before1 before2 before3 after1 after2 after3 loopback 1gbit 10gbit".split(" ", -1)) {
            run("drayage throughput --system netty:raw+none@2 --out " + run).ifPresent(failed::add);
          }
          for (String keep : List.of("", " --out run")) {
            run("drayage throughput --system netty:raw+none@2 --history history --keep-as main"
                    + keep)
                .ifPresent(failed::add);
          }
        }
      }
    } finally {
      for (Process node : nodes) {
        node.destroyForcibly().waitFor();
      }
    }
    assertThat(failed).isEmpty();
  }

  /** Returns the examples by their headings, each a line. */
  private static Map<String, List<String>> examples() {
    Map<String, List<String>> examples = new LinkedHashMap<>();
    collect(Drayage.commandLine(), examples);
    return examples;
  }

  private static void collect(CommandLine command, Map<String, List<String>> examples) {
    String footer =
        Arrays.stream(command.getCommandSpec().usageMessage().footer())
            .map(String::formatted)
            .collect(Collectors.joining("\n"))
            .replaceAll("\\s*\\\\\n\\s*", " ");
    String heading = "";
    for (String line : footer.lines().toList()) {
      if (line.startsWith("Example")) {
        heading = line;
      } else if (line.startsWith("  ")) {
        examples.computeIfAbsent(heading, h -> new ArrayList<>()).add(line.strip());
      }
    }
    command.getSubcommands().values().forEach(each -> collect(each, examples));
  }

  /** Removes the file of settings, because it is read while options are parsed. */
  private static String withoutFile(String line) {
    return line.replaceAll(" --config \\S+", "");
  }

  /** Returns the words after {@code drayage}. */
  private static String[] words(String line) {
    Matcher command = COMMAND.matcher(line);
    assertThat(command.find()).as(line).isTrue();
    return WORD.matcher(command.group(1))
        .results()
        .map(word -> word.group(1) != null ? word.group(1) : word.group(2))
        .toArray(String[]::new);
  }

  private void tablesOfYours() throws Exception {
    Files.writeString(folder.resolve("t.csv"), "zip,day\n01234,24.12.2026\n");
    Files.writeString(folder.resolve("today.csv"), "sku,stock\na,2\nb,1\n");
    Files.writeString(folder.resolve("yesterday.csv"), "sku,stock\na,1\nb,1\n");
    Files.writeString(folder.resolve("statements.sql"), "SELECT count(*) FROM sales_plan;\n");
    Path orders = folder.resolve("orders.parquet");
    String made = "SELECT i AS id, i / 2.0 AS price FROM range(1000) t(i)";
    Files.createDirectories(folder.resolve("folder"));
    try (Connection engine =
            DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("shop.duckdb"));
        Statement statement = engine.createStatement()) {
      statement.execute("CREATE TABLE orders AS " + made);
      statement.execute("COPY orders TO '%s' (FORMAT parquet)".formatted(orders));
    }
    Files.copy(orders, folder.resolve("lineitem.parquet"));
    Files.copy(orders, folder.resolve("folder/orders.parquet"));
  }

  private Process node(String line, int number) throws Exception {
    Path log = folder.resolve("node" + number + ".log");
    Process node =
        bash(
            "exec "
                + line.replace("127.0.0.1:7071", "127.0.0.1:0").replace("127.0.0.1:2181", zookeeper)
                + (number == 0 ? " --listen=127.0.0.1:0 --zookeeper-port=0 --size=2MB" : "")
                + " --warm-up=0 --name=transactor-707"
                + number,
            log);
    while (!Files.readString(log).contains("listens at")) {
      assertThat(node.isAlive()).as(() -> line + ": " + log).isTrue();
      TimeUnit.MILLISECONDS.sleep(50);
    }
    if (number == 0) {
      Matcher found = Pattern.compile("zookeeper (\\S+)").matcher(Files.readString(log));
      assertThat(found.find()).isTrue();
      zookeeper = found.group(1);
    }
    return node;
  }

  /** Runs a smaller example. Returns the line and its log if the command fails. */
  private Optional<String> run(String line) throws Exception {
    String smaller =
        line.replaceAll("--size \\S+", "--size 2MB")
            .replaceAll(" --budget \\S+", "")
            .replaceAll("--forks \\d", "--forks 1")
            .replace("127.0.0.1:2181", zookeeper);
    CommandLine command = Drayage.commandLine();
    for (String word : words(line)) {
      if (!command.getSubcommands().containsKey(word)) {
        break;
      }
      command = command.getSubcommands().get(word);
    }
    Map<String, ?> options = command.getCommandSpec().optionsMap();
    for (Map.Entry<String, String> each : LESS.entrySet()) {
      if (options.containsKey(each.getKey()) && !smaller.contains(each.getKey() + " ")) {
        smaller =
            smaller.replaceFirst("(drayage [^<)]*)", "$1 " + each.getKey() + "=" + each.getValue());
      }
    }
    Path log = Files.createTempFile(folder, "example", ".log");
    long beganNs = System.nanoTime();
    Process process = bash(smaller, log);
    if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    System.out.printf(
        Locale.ROOT, "| `%s` | %.1f s |%n", smaller, (System.nanoTime() - beganNs) / 1e9);
    // Short runs say nothing about a build.
    boolean isVerdict = line.startsWith("drayage compare ") && process.exitValue() != 2;
    return process.exitValue() == 0 || isVerdict
        ? Optional.empty()
        : Optional.of(smaller + "\n" + Files.readString(log));
  }

  private Process bash(String line, Path log) throws Exception {
    ProcessBuilder bash =
        new ProcessBuilder("bash", "-c", line)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    bash.environment()
        .merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    // Examples this short end before C2 pays.
    bash.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
    return bash.start();
  }
}
