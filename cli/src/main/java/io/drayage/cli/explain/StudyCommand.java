package io.drayage.cli.explain;

import io.drayage.bench.child.StudySettings;
import io.drayage.bench.link.Link;
import io.drayage.bench.report.FinishedRun;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.study.ComparedFigure;
import io.drayage.bench.study.PublishedStudy;
import io.drayage.bench.study.StudyComparison;
import io.drayage.bench.study.StudyException;
import io.drayage.bench.study.StudyPage;
import io.drayage.bench.study.StudyProcess;
import io.drayage.bench.study.StudyProcess.Outcome;
import io.drayage.bench.study.StudyText;
import io.drayage.cli.options.CommandText;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.ResultOptions;
import io.drayage.internal.FolderLock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage study}: experiments that others published. */
@Command(
    name = "study",
    mixinStandardHelpOptions = true,
    description = {
      "Repeats the experiments of a publication about serialization, and prints the results beside"
          + " the published figures: the ratio, the ranks, the claims that hold, and the gain by"
          + " the codecs of this project.",
      "",
      "Less is better in all figures. A rank counts the systems that have both figures.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage study sikdar",
      "  drayage study sikdar --json sikdar.json",
      "Examples, as root:",
      "  drayage study sikdar --experiment network --link 1gbit --out result"
    })
public final class StudyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The study; a wrong name lists them.")
  private String name = "";

  @Option(
      names = "--experiment",
      paramLabel = "E",
      description = "Run only this experiment; a wrong name lists them.")
  private @Nullable String experiment;

  @Option(
      names = "--objects",
      paramLabel = "N",
      description = "Number of objects in each experiment (default: enough for two minutes).")
  private @Nullable Integer objects;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The seed of the random choices (default: ${DEFAULT-VALUE}).")
  private int seed;

  @Option(
      names = "--full",
      description = "The published numbers of objects and iterations; it takes hours.")
  private boolean isFull;

  @Mixin private LinkOptions link = new LinkOptions();
  @Mixin private ResultOptions results = new ResultOptions();

  @Override
  public Integer call() throws IOException, InterruptedException, StudyException {
    OptionChecks checks = new OptionChecks(spec);
    checks.require(
        PublishedStudy.NAMES.contains(name),
        "there is no study %s: name one of %s"
            .formatted(name, String.join(", ", PublishedStudy.NAMES)));
    checks.require(objects == null || objects >= 1, "--objects must be at least 1, not " + objects);
    checks.require(
        objects == null || !name.equals("chronicle"),
        "--objects: chronicle writes and reads one object, as published");
    link.validate(checks);
    checks.require(
        link.isLoopback() || name.equals("sikdar"),
        "--link is for the network experiment of sikdar: %s ships nothing".formatted(name));
    results.validate(checks);
    FolderLock taken = results.out == null ? null : ResultFolder.lock(results.out);
    try {
      return run(checks);
    } finally {
      if (taken != null) {
        taken.close();
      }
    }
  }

  private int run(OptionChecks checks) throws IOException, InterruptedException, StudyException {
    PrintWriter err = spec.commandLine().getErr();
    Outcome outcome;
    try (Link opened = link.open(1)) {
      outcome =
          StudyProcess.ofName(name)
              .run(
                  new StudySettings(
                      experiment, objects, isFull, seed, StudySettings.Servers.LOOPBACK),
                  opened,
                  err::println);
    } catch (StudyException e) {
      if (e.isWrongUsage()) {
        throw checks.usageError(String.valueOf(e.getMessage()));
      }
      throw e;
    }
    return finish(
        StudyComparison.of(PublishedStudy.ofName(name), outcome.figures()), outcome.leftOut());
  }

  private int finish(StudyComparison comparison, List<String> leftOut)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    StudyText.of(comparison, leftOut).forEach(out::println);
    Result<ComparedFigure> result =
        Result.of(config(), comparison.rows(), true)
            .with("correlations", comparison.agreements())
            .with("claims", comparison.claims())
            .with("leftOut", leftOut);
    results.write(result);
    if (results.out != null) {
      result.writeTo(results.out.resolve(ResultFolder.RESULT));
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "page: "
              + FinishedRun.writePage(
                  results.out, StudyPage.of(comparison, leftOut, CommandText.of(spec)), err));
    }
    return ExitCode.OK;
  }

  private Map<String, Object> config() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("study", name);
    config.put("experiment", experiment);
    config.put("objects", objects);
    config.put("seed", seed);
    config.put("full", isFull);
    config.put("link", link.text());
    return config;
  }
}
