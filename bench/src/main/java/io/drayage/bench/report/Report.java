package io.drayage.bench.report;

import io.drayage.bench.page.Page;
import io.drayage.bench.page.Section;
import io.drayage.bench.page.Table;
import io.drayage.bench.result.Conclusion;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.table.Tone;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The page of one run. */
final class Report {
  private static final int MANY_ITERATIONS = 30;
  private static final String TITLE = "Drayage throughput";

  private Report() {}

  /**
   * A page of one run or several.
   *
   * @param files what lies beside the page and is worth a link
   */
  static Page of(List<ReportRun> runs, List<String> files) {
    if (runs.size() > 1) {
      return SeveralRuns.page(runs);
    }
    ReportRun run = runs.get(0);
    Page page = new Page(TITLE).subtitle(subtitle(run));
    page.verdict(verdict(run), tone(run));
    addFacts(page, run);
    speed(page.section("Speed"), run, "");
    failures(page, "Failed runs", run);
    overSize(page.section("Runtime over input size"), run);
    time(page.section("Where the time goes"), run, "");
    page.section("Bytes").chart(SystemBars.wire(run, "wire"));
    page.section("Stages and cost")
        .table(ResultTables.utilisation(run))
        .table(ResultTables.cost(run));
    if (CeilingShares.areIn(run)) {
      CeilingShares.add(page.section("Share of the ceiling"), run, "ceiling");
    }
    addWorkers(page, run);
    if (!run.study().isEmpty()) {
      page.section("The study").table(ResultTables.study(run.study()));
    }
    iterations(page.section("Every iteration"), run);
    Section environment = page.section("Environment");
    RunDetails.add(environment, List.of(run), List.of(run.describe()));
    files.forEach(file -> environment.link(file, file, ""));
    return page.footer(footer());
  }

  static String footer() {
    return "Written by drayage report. Nothing on this page is loaded from a network.";
  }

  static String verdict(ReportRun run) {
    return Conclusion.of(run.summaries(), run.baseline(), run.runs());
  }

  static Tone tone(ReportRun run) {
    return run.runs().stream().allMatch(one -> one.status() == Status.OK) ? Tone.GOOD : Tone.BAD;
  }

  private static String subtitle(ReportRun run) {
    String extent = run.extent().equals("whole") ? "whole commits" : "commits into memory";
    return String.join(
        " · ",
        run.describe(),
        extent,
        "%s, %s cores"
            .formatted(
                run.environment().path("cpu").asText("?"),
                run.environment().path("cores").asText("?")),
        run.environment().path("timestamp").asText("?"));
  }

  private static void addFacts(Page page, ReportRun run) {
    String best = SystemBars.best(run.summaries(), Summary::sqMedianS);
    if (best != null) {
      Summary fastest = run.summary(best);
      page.fact("fastest S+Q", best, "of %d systems".formatted(run.summaries().size()));
      page.fact(
          "its S+Q",
          Shown.seconds(Objects.requireNonNull(fastest.sqMedianS())),
          "%s to %s"
              .formatted(
                  Shown.seconds(Objects.requireNonNull(fastest.sqMinS())),
                  Shown.seconds(Objects.requireNonNull(fastest.sqMaxS()))));
      Double speedup = fastest.sqSpeedup();
      if (speedup != null) {
        page.fact("against the baseline", Shown.times(speedup), run.baseline());
      }
      page.fact(
          "payload",
          Shown.digits(Objects.requireNonNull(fastest.rawMBps())) + " MB/s",
          "raw bytes / S+Q");
    }
    String share = best == null ? null : CeilingShares.of(run, best);
    if (share != null) {
      page.fact("of the nearest ceiling", share, "of what the machine can do");
    }
    long ok = run.runs().stream().filter(one -> one.status() == Status.OK).count();
    page.fact(
        "runs",
        "%d of %d ok".formatted(ok, run.runs().size()),
        run.runs().stream().allMatch(one -> Boolean.TRUE.equals(one.digestOk()))
            ? "digests equal"
            : "see the failed runs");
  }

  static void speed(Section section, ReportRun run, String suffix) {
    section.sideBySide(
        List.of(SystemBars.sq(run, "sq" + suffix), SystemBars.commit(run, "commit" + suffix)));
    if (!run.rungs().isEmpty()) {
      section.table(ResultTables.rungs(run.rungs()));
    }
    section.table(ResultTables.systems(run));
  }

  /** What failed stands where nobody misses it. */
  static void failures(Page page, String heading, ReportRun run) {
    List<Run> failed = run.runs().stream().filter(one -> one.status() == Status.FAILED).toList();
    if (failed.isEmpty()) {
      return;
    }
    Section section = page.section(heading);
    StringBuilder text = new StringBuilder();
    for (Run one : failed) {
      String which = one.iteration() == 0 ? "a warm-up" : "iteration " + one.iteration();
      text.append(String.format(Locale.ROOT, "%s, %s: %s%n", one.system(), which, one.error()));
    }
    section.preformatted("%d of %d".formatted(failed.size(), run.runs().size()), text.toString());
  }

  private static void overSize(Section section, ReportRun run) {
    List<ReportRun> alone = List.of(run);
    section.sideBySide(
        List.of(
            SizeLines.sq(alone, run.systems(), "size-sq"),
            SizeLines.commit(alone, run.systems(), "size-commit")));
  }

  static void time(Section section, ReportRun run, String suffix) {
    section.chart(PhaseStacks.chart(run, "phases" + suffix)).table(PhaseStacks.table(run));
  }

  static void addWorkers(Page page, ReportRun run) {
    Table workers = ResultTables.workers(run);
    if (!workers.isEmpty()) {
      page.section("Workers").table(workers);
    }
  }

  static void iterations(Section section, ReportRun run) {
    Table table = ResultTables.iterations(run);
    if (run.runs().size() > MANY_ITERATIONS) {
      section.folded(
          "%d iterations, %s".formatted(run.runs().size(), run.describe()),
          inner -> inner.table(table));
    } else {
      section.table(table);
    }
  }
}
