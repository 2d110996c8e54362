package io.drayage.bench.report;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.DotChart;
import io.drayage.bench.page.DotChart.Dot;
import io.drayage.bench.page.Page;
import io.drayage.bench.page.Section;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.Verdict;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import io.drayage.bench.table.TableCell;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The page of one run, or of several runs beside each other. */
public final class Report {
  private static final int MANY_ITERATIONS = 30;

  private Report() {}

  /**
   * Makes the page.
   *
   * @param files beside the page, each with a link
   */
  public static Page of(List<ReportRun> runs, List<String> files) {
    boolean alone = runs.size() == 1;
    List<String> labels = alone ? List.of(runs.get(0).describe()) : RunLabels.of(runs);
    Page page = new Page("Drayage throughput");
    for (int i = 0; i < runs.size(); i++) {
      ReportRun run = runs.get(i);
      Verdict verdict = run.verdict();
      page.verdict(
          (alone ? "" : labels.get(i) + ": ") + verdict.answer(),
          verdict.isSound() ? verdict.isShown() ? Tone.GOOD : Tone.PLAIN : Tone.BAD);
      if (alone) {
        page.remark(String.join("; ", verdict.remarks()));
      }
    }
    if (alone) {
      addRun(page.subtitle(subtitle(runs.get(0))), page::section, runs.get(0), "", "");
      addSizes(page.section("Runtime over input size"), runs);
    } else {
      compare(page.subtitle(subtitle(runs)).section("All runs"), runs, labels);
      addSizes(page.section("Runtime over input size"), runs);
      for (int i = 0; i < runs.size(); i++) {
        Section own = page.section(labels.get(i));
        addRun(page, heading -> own, runs.get(i), ", " + labels.get(i), "-" + (i + 1));
      }
    }
    page.section("Terms").terms(Terms.all());
    Section environment = page.section("Environment");
    addDetails(environment, runs, labels);
    files.forEach(file -> environment.link(file, file, ""));
    return page.footer("Written by drayage report. Nothing on this page is loaded from a network.");
  }

  private static String subtitle(ReportRun run) {
    return String.join(
        " · ",
        run.describe(),
        run.extent().equals("whole") ? "whole commits" : "commits into memory",
        "%s, %s cores"
            .formatted(
                run.environment().path("cpu").asText("?"),
                run.environment().path("cores").asText("?")),
        run.environment().path("timestamp").asText("?"));
  }

  private static String subtitle(List<ReportRun> runs) {
    String what = runs.stream().map(ReportRun::cargo).distinct().collect(Collectors.joining(", "));
    String links = runs.stream().map(ReportRun::link).distinct().collect(Collectors.joining(", "));
    return format("%d runs · %s · %s", runs.size(), what, links);
  }

  /**
   * Adds all content about one run.
   *
   * @param sections gives the section for a heading: one for each, or the same for all
   * @param label ends the heading of the failed runs
   * @param suffix ends the charts' ids
   */
  private static void addRun(
      Page page, Function<String, Section> sections, ReportRun run, String label, String suffix) {
    Section speed = sections.apply("Speed");
    speed.sideBySide(
        List.of(RunCharts.sq(run, "sq" + suffix), RunCharts.commit(run, "commit" + suffix)));
    if (run.summaries().get(0).step() != null) {
      speed.table(SummaryTables.rungs(run.summaries()));
    }
    speed.table(SummaryTables.systems(run.summaries(), run.baseline()));
    addFailures(page, "Failed runs" + label, run);
    sections
        .apply("Where the time goes")
        .chart(RunCharts.phases(run, "phases" + suffix))
        .table(SummaryTables.phases(run.summaries()));
    sections
        .apply("Stages and cost")
        .table(RunTables.utilisation(run))
        .table(SummaryTables.cost(run.summaries(), run.floor()));
    Ceilings ceilings = run.ceilings();
    if (ceilings != null) {
      sections
          .apply("Share of the ceiling")
          .chart(RunCharts.ceilings(run, ceilings, "ceiling" + suffix))
          .table(SummaryTables.ceilings(ceilings));
    }
    Table workers = RunTables.workers(run);
    if (!workers.isEmpty()) {
      sections.apply("Workers").table(workers);
    }
    if (!run.study().isEmpty()) {
      sections.apply("The study").table(SummaryTables.study(run.study()));
    }
    Section iterations = sections.apply("Every iteration");
    if (suffix.isEmpty() && run.runs().size() <= MANY_ITERATIONS) {
      iterations.table(RunTables.iterations(run));
    } else {
      iterations.folded(
          format("%d iterations, %s", run.runs().size(), run.describe()),
          inner -> inner.table(RunTables.iterations(run)));
    }
  }

  /** Adds failures as a section, so that every reader sees them. */
  private static void addFailures(Page page, String heading, ReportRun run) {
    List<Run> failed = run.runs().stream().filter(one -> one.status() == Status.FAILED).toList();
    if (failed.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder();
    for (Run one : failed) {
      String which = RunTables.turn(one);
      text.append(format("%s, %s: %s%n", one.system(), which, one.error()));
    }
    page.section(heading)
        .preformatted(format("%d of %d", failed.size(), run.runs().size()), text.toString());
  }

  /** Adds the charts over input size. Runs over different links are in different charts. */
  private static void addSizes(Section section, List<ReportRun> runs) {
    Map<String, List<ReportRun>> byLink =
        runs.stream()
            .collect(
                Collectors.groupingBy(ReportRun::link, LinkedHashMap::new, Collectors.toList()));
    int number = 0;
    for (List<ReportRun> sameLink : byLink.values()) {
      number++;
      section.sideBySide(
          SizeLines.of(sameLink, systems(runs), runs.size() == 1 ? "" : "-" + number));
    }
  }

  private static List<String> systems(List<ReportRun> runs) {
    return runs.stream().flatMap(run -> run.systems().stream()).distinct().toList();
  }

  private static void compare(Section section, List<ReportRun> runs, List<String> labels) {
    List<DotChart.Series> series = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      ReportRun run = runs.get(i);
      series.add(
          new DotChart.Series(
              labels.get(i), systems(runs).stream().map(system -> dot(run, system)).toList()));
    }
    section.chart(
        new DotChart(
            "all-sq",
            "S+Q by system and run",
            "Medians; the line reaches from the fastest to the slowest iteration. Less is better.",
            Axis.logarithmic("S+Q", Unit.SECONDS),
            systems(runs),
            series));
    Function<Summary, @Nullable Double> sq = Summary::sqMedianS;
    section.table(beside("S+Q", Format.SECONDS, runs, labels, sq, sq));
    section.table(
        beside(
            "S+Q, times as fast as the run's baseline",
            Format.RATIO,
            runs,
            labels,
            Summary::sqSpeedup,
            sq));
    Function<Summary, @Nullable Double> commit = Summary::commitMedianS;
    section.table(beside("Commit", Format.SECONDS, runs, labels, commit, commit));
  }

  private static Dot dot(ReportRun run, String system) {
    Summary summary = run.systems().contains(system) ? run.summary(system) : null;
    return summary == null || summary.sqMedianS() == null
        ? Dot.NONE
        : new Dot(summary.sqMedianS(), summary.figures().sqMinS(), summary.figures().sqMaxS());
  }

  /** Makes a table of systems over runs, and marks the system with the least {@code rank}. */
  private static Table beside(
      String title,
      Format format,
      List<ReportRun> runs,
      List<String> labels,
      Function<Summary, @Nullable Double> figure,
      Function<Summary, @Nullable Double> rank) {
    TableBuilder<String> table = Table.of(title, systems(runs)).text("system", name -> name);
    for (int i = 0; i < runs.size(); i++) {
      ReportRun run = runs.get(i);
      String best = SummaryTables.best(run.summaries(), rank);
      table
          .cells(
              labels.get(i),
              format.unit(),
              true,
              system ->
                  run.systems().contains(system)
                      ? format.cell(figure.apply(run.summary(system)))
                      : TableCell.NONE)
          .mark(system -> system.equals(best));
    }
    return table.note("Medians. The best of each run is marked.").build();
  }

  /** Adds the environment and the options of the runs. */
  private static void addDetails(Section section, List<ReportRun> runs, List<String> labels) {
    for (int i = 0; i < runs.size(); i++) {
      String command = runs.get(i).command();
      if (command != null) {
        section.preformatted("Command: " + labels.get(i), command);
      }
    }
    section.table(RunTables.details("Machine and build", runs, labels, ReportRun::environment));
    for (int i = 0; i < runs.size(); i++) {
      String state = runs.get(i).linkState();
      if (state != null) {
        section.folded("Link: " + labels.get(i), inner -> inner.preformatted("tc, ip, ss", state));
      }
    }
    section.folded(
        "Configuration",
        inner -> inner.table(RunTables.details("Configuration", runs, labels, ReportRun::config)));
  }
}
