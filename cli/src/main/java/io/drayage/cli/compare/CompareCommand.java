package io.drayage.cli.compare;

import io.drayage.bench.compare.Comparison;
import io.drayage.bench.compare.Difference;
import io.drayage.bench.compare.FailIf;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Result;
import io.drayage.cli.options.JsonOption;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage compare}: whether a run differs from an earlier one, and for the worse. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Compares two runs of throughput or ladder, system by system: medians, and the change with its"
          + " interval of 95 %%, by the method that throughput uses, for samples that were not taken"
          + " in turns. A difference counts if the interval leaves 0 out; that needs at least 5 turns"
          + " on either side. Disturbed turns are left out if enough others remain.",
      "",
      "Metrics, less is better of each: sq, commit, relative (S+Q over the baseline's of the same"
          + " turn, which a slower machine does not change), wire (bytes sent), cpu (of all"
          + " processes), memory (peaks of worker and transactor).",
      "",
      "With --fail-if, exit code 3 means that a difference counts and is larger than allowed, or"
          + " that a system that went well in BASE failed in NEW or is missing there; exit code 1,"
          + " that there were too few turns to tell. Runs of another cargo, size or link are"
          + " refused then.",
      ""
    },
    footer = {
      "",
      "Example: drayage compare before/ after/ --fail-if 'sq +5%%' --fail-if 'memory +10%%'"
    })
public final class CompareCommand implements Callable<Integer> {
  private static final int REGRESSION = 3;

  private record Config(String base, String fresh, List<String> failIf) {}

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "BASE",
      description = "The earlier run: its folder, or its JSON file.")
  private Path base = Path.of("");

  @Parameters(index = "1", paramLabel = "NEW", description = "The later one.")
  private Path fresh = Path.of("");

  @Option(
      names = "--fail-if",
      paramLabel = "CONDITION",
      description =
          "METRIC +N%%: end with exit code 3 if the metric grew by more than N %%; may be repeated.")
  private List<String> failIf = new ArrayList<>();

  @Mixin private JsonOption to = new JsonOption();

  @Override
  public Integer call() throws IOException {
    List<FailIf> conditions = validate();
    ReportRun before = ReportRun.read(base);
    ReportRun after = ReportRun.read(fresh);
    Comparison comparison = Comparison.of(before, after);
    new OptionChecks(spec)
        .require(
            conditions.isEmpty() || comparison.unlike().isEmpty(),
            "--fail-if: %s: compare runs of the same cargo, size and link"
                .formatted(String.join("; ", comparison.unlike())));
    PrintWriter err = spec.commandLine().getErr();
    comparison.unlike().forEach(part -> err.println("drayage: " + part));
    comparison.warnings().forEach(warning -> err.println("drayage: " + warning));
    comparison.missing().forEach(system -> err.println("drayage: " + system));
    to.write(kept(after, comparison, conditions));
    return print(comparison, conditions);
  }

  private List<FailIf> validate() {
    OptionChecks checks = new OptionChecks(spec);
    for (Path path : List.of(base, fresh)) {
      checks.requireRun(path);
    }
    to.validate(checks);
    try {
      return failIf.stream().map(FailIf::parse).toList();
    } catch (IllegalArgumentException e) {
      throw checks.usageError("--fail-if: " + e.getMessage());
    }
  }

  private Result<Difference> kept(ReportRun after, Comparison comparison, List<FailIf> conditions) {
    Config config =
        new Config(
            base.toString(), fresh.toString(), conditions.stream().map(FailIf::toString).toList());
    return Result.of(after.environment(), config, null, comparison.differences(), true)
        .with("broken", comparison.broken())
        .with("gone", comparison.gone())
        .with("missing", comparison.missing())
        .with("unlike", comparison.unlike())
        .with("warnings", comparison.warnings())
        .with("regressions", comparison.regressions(conditions));
  }

  private int print(Comparison comparison, List<FailIf> conditions) {
    PrintWriter out = spec.commandLine().getOut();
    List<Difference> differences = comparison.differences();
    if (!differences.isEmpty()) {
      comparison.table().toText().forEach(out::println);
    }
    comparison.broken().forEach(system -> out.println(system + " FAILED in NEW"));
    List<Difference> regressions = comparison.regressions(conditions);
    List<Difference> undecided = comparison.undecided(conditions);
    boolean isWorse = !regressions.isEmpty() || (!conditions.isEmpty() && comparison.hasLost());
    List<FailIf> unmeasured = comparison.unmeasured(conditions);
    out.println(comparison.conclusion(conditions));
    if (!isWorse && !differences.isEmpty() && !unmeasured.isEmpty()) {
      out.println("not measured in both runs, so not checked: " + FailIf.text(unmeasured));
    }
    if (isWorse) {
      return REGRESSION;
    }
    return !differences.isEmpty() && undecided.isEmpty() && unmeasured.isEmpty()
        ? CommandLine.ExitCode.OK
        : CommandLine.ExitCode.SOFTWARE;
  }
}
