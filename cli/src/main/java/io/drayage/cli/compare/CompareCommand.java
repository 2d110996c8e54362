package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.compare.ComparedMetric;
import io.drayage.bench.compare.Comparison;
import io.drayage.bench.compare.Difference;
import io.drayage.bench.history.HistoryFolder;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.cli.options.HistoryOption;
import io.drayage.cli.options.JsonOption;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.PercentConverter;
import io.drayage.internal.Counted;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage compare}: checks whether a build differs from an earlier one, and is worse. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Compares runs of throughput or ladder with earlier ones, system by system: medians, and the"
          + " change with its interval of 99 %%. One value is a run; it is a launch where a side"
          + " has one run with several launches, because two starts of one build differ more than"
          + " the turns of either. It needs 3 values on each side, and leaves out those that were"
          + " not warm.",
      "",
      "Metrics (less is better): sq, commit, relative (S+Q over the baseline's of the same turn,"
          + " which a slower machine does not change), wire (bytes sent), cpu (of all processes),"
          + " memory (peaks of worker and transactor).",
      "",
      "One metric decides: the commit of the system that is fastest in BASE, unless --metric and"
          + " --system name another. Exit code 3: it is worse in NEW, with an interval that"
          + " exceeds --within, or a system that succeeded in BASE failed in NEW or is missing"
          + " there. Exit code 1: undecided, because there are too few runs, a run of a side lacks"
          + " a system or a turn of it, or the interval contains both no change and one beyond"
          + " --within. Exit code 2: the runs are of different machines or cargoes, and are not"
          + " compared.",
      "",
      "With --history and --baseline NAME, BASE is left out: it is the last 10 runs that 'throughput"
          + " --keep-as NAME' kept, of the cargo, link and machine of NEW, without a failure and"
          + " without NEW itself.",
      "",
      "With --run, BASE and NEW are builds: folders with a drayage to start. The command makes"
          + " their runs, of one system, alternately.",
      ""
    },
    footer = {
      "",
      "Examples, with folders of 'drayage throughput --out':",
      "  drayage compare before1,before2,before3 after1,after2,after3",
      "Examples, with runs of 'drayage throughput --history history --keep-as main':",
      "  drayage compare --history history --baseline main run",
      "Examples, in a checkout, with another one to compare with:",
      "  drayage compare --run ../main . --metric sq"
    })
public final class CompareCommand implements Callable<Integer> {
  private static final int REGRESSION = 3;
  private static final int MAX_RUNS = 100;
  private static final int MAX_PERCENT = 100;

  private record Config(List<String> base, List<String> fresh, @Nullable String decides) {}

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "1",
      paramLabel = "BASE[,BASE]...",
      split = ",",
      description = "The earlier runs: their folders, or their JSON files. NEW with --baseline.")
  private List<Path> base = new ArrayList<>();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NEW[,NEW]...",
      split = ",",
      description = "The later ones.")
  private List<Path> fresh = new ArrayList<>();

  @Option(names = "--system", paramLabel = "SYSTEM", description = "The system that decides.")
  private @Nullable String system;

  @Option(names = "--metric", paramLabel = "METRIC", description = "The metric that decides.")
  private @Nullable String metricWord;

  @Option(
      names = "--within",
      paramLabel = "PERCENT",
      defaultValue = "10",
      converter = PercentConverter.class,
      description =
          "The largest irrelevant change, above 0 to 100: no change is relevant if the whole"
              + " interval is within it. 10 runs of each side are enough if runs of one build"
              + " differ by 5 %% (default: ${DEFAULT-VALUE}).")
  private double within;

  @Option(
      names = "--across-machines",
      description =
          "Compare runs although their processors, memory or kernels differ, with a warning.")
  private boolean acrossMachines;

  @Option(
      names = "--run",
      description =
          "Make the runs alternately by the builds BASE and NEW, with netty:raw+none@cores or"
              + " --system.")
  private boolean isToRun;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Runs of each build, 3 to 100, of about half a minute each. 10 runs find a change of 10"
              + " %% if runs of one build differ by 5 %% (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "256MB",
      description = "Size of the cargo of --run (default: ${DEFAULT-VALUE}).")
  private ByteSize size = ByteSize.parse("256MB");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder of the runs of --run (default: a new one below drayage-runs).")
  private @Nullable Path out;

  @Mixin private HistoryOption history = new HistoryOption();

  @Option(
      names = "--baseline",
      paramLabel = "NAME",
      description = "Compare NEW with the last runs that are kept under NAME in --history.")
  private @Nullable String baseline;

  @Mixin private JsonOption to = new JsonOption();

  private @Nullable ComparedMetric metric;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    validate(checks);
    if (isToRun) {
      make(checks);
    }
    List<ReportRun> after = read(fresh);
    List<ReportRun> before = baseline == null ? read(base) : kept(checks, baseline, after);
    Comparison comparison =
        checks.valid(() -> Comparison.of(before, after, system, metric, within, acrossMachines));
    checks.require(
        comparison.unlike().isEmpty(),
        "%s: compare runs of the same cargo, size, link and machine (--across-machines)"
            .formatted(String.join("; ", comparison.unlike())));
    PrintWriter err = spec.commandLine().getErr();
    comparison.warnings().forEach(warning -> err.println("drayage: " + warning));
    comparison.missing().forEach(one -> err.println("drayage: " + one));
    to.write(kept(after.get(0), comparison));
    return print(comparison);
  }

  private void validate(OptionChecks checks) {
    history.validate(checks, "--baseline", baseline);
    if (baseline != null) {
      checks.require(
          fresh.isEmpty() && !isToRun,
          "--baseline %s takes the place of BASE: name only NEW, without --run"
              .formatted(baseline));
      fresh = base;
      base = List.of();
    }
    checks.require(!fresh.isEmpty(), "NEW is missing: name BASE and NEW, or --baseline NAME");
    if (!isToRun) {
      for (List<Path> side : List.of(base, fresh)) {
        side.forEach(checks::requireRun);
      }
    }
    to.validate(checks);
    checks.requireCount("--runs", runs, Interval.MIN_RUNS, MAX_RUNS);
    checks.require(
        within > 0 && within <= MAX_PERCENT,
        "--within must be above 0, to %s, not %s".formatted(MAX_PERCENT, within));
    String word = metricWord;
    metric = word == null ? null : checks.valid(() -> ComparedMetric.ofName(word));
  }

  /** Makes the runs of both builds, and puts their folders in the place of the arguments. */
  private void make(OptionChecks checks) throws IOException, InterruptedException {
    checks.require(base.size() == 1 && fresh.size() == 1, "--run: name two builds, BASE and NEW");
    SystemUnderTest tested =
        checks.valid(() -> BuildRuns.system(system == null ? BuildRuns.DEFAULT_SYSTEM : system));
    BuildRuns builds =
        new BuildRuns(
            List.of(base.get(0), fresh.get(0)),
            tested,
            size,
            runs,
            out == null ? ResultFolder.newBelowHere("compare") : out);
    checks.valid(builds::requireBuilds);
    List<List<Path>> made = builds.make(spec.commandLine().getErr());
    base = made.get(0);
    fresh = made.get(1);
  }

  /** Reads the runs that are kept under a name, and puts their files in the place of BASE. */
  private List<ReportRun> kept(OptionChecks checks, String name, List<ReportRun> after)
      throws IOException {
    HistoryFolder folder = Objects.requireNonNull(history.folder());
    List<ReportRun> runs;
    try {
      runs = folder.baseline(name, after, acrossMachines);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(e.getMessage());
    }
    base = runs.stream().map(ReportRun::file).toList();
    spec.commandLine()
        .getErr()
        .println(
            "BASE: %s of %s in %s, from %s"
                .formatted(
                    Counted.of(runs.size(), "run"),
                    name,
                    folder.path(),
                    base.get(0).getFileName()));
    return runs;
  }

  private static List<ReportRun> read(List<Path> side) throws IOException {
    List<ReportRun> runs = new ArrayList<>();
    for (Path path : side) {
      runs.add(ReportRun.read(path));
    }
    return runs;
  }

  private Result<Difference> kept(ReportRun after, Comparison comparison) {
    Config config = new Config(texts(base), texts(fresh), comparison.decides());
    return Result.of(after.environment(), config, null, comparison.differences(), true)
        .with("decisive", comparison.decisive())
        .with("broken", comparison.broken())
        .with("gone", comparison.gone())
        .with("missing", comparison.missing())
        .with("gaps", comparison.gaps())
        .with("warnings", comparison.warnings())
        .with("regression", comparison.isRegression());
  }

  private static List<String> texts(List<Path> paths) {
    return paths.stream().map(Path::toString).toList();
  }

  private int print(Comparison comparison) {
    PrintWriter stdout = spec.commandLine().getOut();
    if (!comparison.differences().isEmpty()) {
      comparison.table().toText().forEach(stdout::println);
    }
    stdout.println(comparison.conclusion());
    if (comparison.isRegression()) {
      return REGRESSION;
    }
    return comparison.isDecided() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }
}
