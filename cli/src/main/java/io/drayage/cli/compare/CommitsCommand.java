package io.drayage.cli.compare;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.commits.CommitLoad;
import io.drayage.bench.commits.CommitRow;
import io.drayage.bench.commits.CommitsPlan;
import io.drayage.bench.commits.CommitsRun;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.ChildException;
import io.drayage.cli.cluster.ClusterOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.ResultOptions;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage commits}: measures how many small commits a node answers. */
@Command(
    name = "commits",
    mixinStandardHelpOptions = true,
    description = {
      "Measures small stored commits: their rate, answer times, CPU time, files and bytes.",
      "",
      "A node and its callers run in two processes, over a socket. Each caller inserts a few rows,"
          + " and commits again when it has the answer; with --rate, commits fall due at this rate,"
          + " and an answer time begins when its commit falls due.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage commits --callers 1,8 --seconds 1 --warmup 1",
      "  drayage commits --callers 8 --seconds 1 --warmup 1 --rate 100 --json commits.json",
      "Examples, with PostgreSQL installed:",
      "  drayage commits --beside postgresql"
    })
public final class CommitsCommand implements Callable<Integer> {
  private static final int MAX_CALLERS = 1_000;
  private static final int MAX_ROWS = 10_000;
  private static final int MAX_SECONDS = 3_600;
  private static final int MAX_RATE = 1_000_000;
  private static final String POSTGRESQL = "postgresql";

  @Spec private CommandSpec spec;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "10",
      description = "Rows of two BIGINT columns that a commit inserts (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--callers",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,8,64",
      description = "Threads that commit, one number after the other (default: ${DEFAULT-VALUE}).")
  private List<Integer> callers = List.of();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Commits that fall due each second, spread over the callers.")
  private @Nullable Integer rate;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description = "The length of a round (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds with each number of callers (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      defaultValue = "120",
      description =
          "Seconds before the first round, with each number of callers in turn (default:"
              + " ${DEFAULT-VALUE}). Before each turn and round the JVMs finish compiling.")
  private int warmup;

  @Option(
      names = "--beside",
      paramLabel = "SYSTEM",
      description =
          "postgresql: a server of its own, as installed, takes turns with the node; pgbench"
              + " commits to it. As root, both run as the user postgres.")
  private @Nullable String beside;

  @Option(
      names = "--disk",
      paramLabel = "DIR",
      description = "The folder for both servers' files (default: the temporary folder).")
  private @Nullable Path disk;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description =
          "The node's store, which must be empty, and keeps the commits (default: on DIR).")
  private @Nullable String store;

  @Mixin private ResultOptions results = new ResultOptions();

  @Override
  public Integer call() throws IOException, ChildException, InterruptedException {
    validate();
    try (ResultFolder folder = ResultFolder.openForResult(results.out)) {
      CommitsPlan plan =
          new CommitsPlan(
              new CommitLoad(1, rows, seconds, rate),
              callers,
              iterations,
              warmup,
              store,
              disk(),
              folder.logs(),
              beside != null);
      PrintWriter err = spec.commandLine().getErr();
      try (StepDisplay display = StepDisplay.onStandardError("commits", plan.steps(), err)) {
        CommitsRun run = new CommitsRun(plan, display).run();
        List<CommitRow> summary = run.rows();
        boolean allOk = summary.stream().allMatch(row -> row.status() == Status.OK);
        Result<CommitRow> result = Result.of(config(), summary, allOk).with("rounds", run.rounds());
        print(result, folder);
        folder.keep(result);
        results.write(result);
        return allOk ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
      }
    }
  }

  private void validate() throws IOException {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireCount("--rows", rows, 1, MAX_ROWS);
    callers.forEach(count -> checks.requireCount("--callers", count, 1, MAX_CALLERS));
    checks.requireDistinct("--callers", callers);
    checks.requireCount("--rate", rate, 1, MAX_RATE);
    checks.requireCount("--seconds", seconds, 1, MAX_SECONDS);
    checks.requireIterations("--iterations", iterations, 1);
    checks.requireCount("--warmup", warmup, 0, MAX_SECONDS);
    checks.require(
        beside == null || beside.equals(POSTGRESQL),
        "--beside must be %s, not '%s'".formatted(POSTGRESQL, beside));
    checks.require(
        disk == null || Files.isDirectory(disk),
        "--disk %s is no folder: name one that exists".formatted(disk));
    results.validate(checks);
    if (store != null) {
      try (ObjectStore objects = ClusterOptions.open("--store", store, checks)) {
        checks.require(
            objects.list("").isEmpty(),
            "--store %s is not empty: name one without objects".formatted(store));
      }
    }
  }

  private Path disk() {
    return disk == null ? Path.of(System.getProperty("java.io.tmpdir")) : disk;
  }

  private Map<String, Object> config() throws IOException {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("rows", rows);
    config.put("callers", callers);
    config.put("seconds", seconds);
    config.put("iterations", iterations);
    config.put("warmup", warmup);
    config.put("diskType", Files.getFileStore(disk()).type());
    if (rate != null) {
      config.put("rate", rate);
    }
    if (store != null) {
      config.put("store", store);
    }
    return config;
  }

  private void print(Result<CommitRow> result, ResultFolder folder) throws IOException {
    PrintWriter to = spec.commandLine().getOut();
    CommitRow.table(result.summary()).toText().forEach(to::println);
    for (CommitRow row : result.summary()) {
      if (row.status() == Status.FAILED) {
        to.println(format("FAILED %s, callers %d: %s", row.system(), row.callers(), row.error()));
      }
    }
    if (!result.allOk()) {
      to.println("logs: " + folder.logs());
    }
    to.println(
        format(
            "medians of %d; CPU, files and bytes are the server's, for a commit; store on %s",
            iterations, store == null ? Files.getFileStore(disk()).type() : store));
    String verdict = CommitRow.verdict(result.summary());
    if (verdict != null) {
      to.println(verdict);
    }
  }
}
