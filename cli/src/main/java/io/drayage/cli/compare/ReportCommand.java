package io.drayage.cli.compare;

import io.drayage.bench.history.History;
import io.drayage.bench.history.HistoryFolder;
import io.drayage.bench.history.HistoryPage;
import io.drayage.bench.report.FinishedRun;
import io.drayage.bench.report.Report;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.ResultFolder;
import io.drayage.cli.options.HistoryOption;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage report}: makes one page of one or several runs, or of results over time. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Makes one page, report.html, of runs of throughput or ladder, and a PNG of each chart.",
      "",
      "Runs over several sizes become lines over the input size, beside the study's; runs over"
          + " several links are side by side. The page needs no network. The images need Chromium:"
          + " the environment variable DRAYAGE_BROWSER names it if it is not on the path (none: no"
          + " images).",
      "",
      "With --history, the page shows each metric over the runs that 'throughput --keep-as' kept,"
          + " and marks the runs at which it changed. A CSV file for each name is beside it: time,"
          + " commit, a column a metric.",
      ""
    },
    footer = {
      "",
      "Examples, with folders of 'drayage throughput --out':",
      "  drayage report loopback",
      "  drayage report loopback 1gbit 10gbit/run.json --out three-links",
      "Examples, with runs of 'drayage throughput --history history --keep-as main':",
      "  drayage report --history history"
    })
public final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "DIR",
      description = "The folders of runs, or their JSON files.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "The folder of the page (default: the folder of the run if only one is given, else a new"
              + " folder below drayage-runs; that of --history).")
  private @Nullable Path out;

  @Mixin private HistoryOption history = new HistoryOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireFolder("--out", out);
    history.validate(checks);
    checks.require(
        paths.isEmpty() == (history.folder() != null),
        "name the folders of runs, or --history DIR, and not both");
    Path page = history.folder() == null ? ofRuns(checks) : ofHistory(checks, history.folder());
    spec.commandLine().getOut().println(page);
    return CommandLine.ExitCode.OK;
  }

  private Path ofHistory(OptionChecks checks, HistoryFolder kept)
      throws IOException, InterruptedException {
    checks.require(
        Files.isDirectory(kept.path()), "--history %s is no folder".formatted(kept.path()));
    List<History> histories = History.read(kept);
    checks.require(
        !histories.isEmpty(),
        "--history %s has no runs: keep some with 'throughput --history %s --keep-as NAME'"
            .formatted(kept.path(), kept.path()));
    Path folder = out == null ? kept.path() : Files.createDirectories(out);
    for (History one : histories) {
      one.writeTable(folder);
    }
    return FinishedRun.writePage(folder, HistoryPage.of(histories), spec.commandLine().getErr());
  }

  private Path ofRuns(OptionChecks checks) throws IOException, InterruptedException {
    List<ReportRun> runs = new ArrayList<>();
    for (Path path : paths) {
      checks.requireRun(path);
      runs.add(ReportRun.read(path));
    }
    PrintWriter err = spec.commandLine().getErr();
    Path folder = folder();
    return out == null && isOneFolder()
        ? FinishedRun.complete(runs.get(0), folder, err)
        : FinishedRun.writePage(folder, Report.of(runs, List.of()), err);
  }

  private boolean isOneFolder() {
    return paths.size() == 1 && Files.isDirectory(paths.get(0));
  }

  private Path folder() throws IOException {
    if (out != null) {
      return Files.createDirectories(out);
    }
    return isOneFolder() ? paths.get(0) : ResultFolder.newBelowHere("report");
  }
}
