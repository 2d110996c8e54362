package io.drayage.bench.report;

import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.DotChart;
import io.drayage.bench.page.DotChart.Dot;
import io.drayage.bench.page.Page;
import io.drayage.bench.page.Section;
import io.drayage.bench.page.Table;
import io.drayage.bench.result.Summary;
import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The page of several runs: what they have to say together, then each by itself. */
final class SeveralRuns {
  private SeveralRuns() {}

  static Page page(List<ReportRun> runs) {
    List<String> labels = RunLabels.of(runs);
    Page page = new Page("Drayage throughput").subtitle(subtitle(runs));
    for (int i = 0; i < runs.size(); i++) {
      page.verdict(labels.get(i) + ": " + Report.verdict(runs.get(i)), Report.tone(runs.get(i)));
    }
    List<String> systems = runs.stream().flatMap(run -> run.systems().stream()).distinct().toList();
    together(page.section("All runs"), runs, labels, systems);
    overSize(page.section("Runtime over input size"), runs, systems);
    for (int i = 0; i < runs.size(); i++) {
      ReportRun run = runs.get(i);
      String suffix = "-" + (i + 1);
      Section section = page.section(labels.get(i));
      Report.speed(section, run, suffix);
      Report.time(section, run, suffix);
      section.chart(SystemBars.wire(run, "wire" + suffix));
      section.table(ResultTables.utilisation(run)).table(ResultTables.cost(run));
      if (CeilingShares.areIn(run)) {
        CeilingShares.add(section, run, "ceiling" + suffix);
      }
      Table workers = ResultTables.workers(run);
      if (!workers.isEmpty()) {
        section.table(workers);
      }
      section.folded(
          "%d iterations".formatted(run.runs().size()),
          inner -> inner.table(ResultTables.iterations(run)));
      Report.failures(page, "Failed runs, " + labels.get(i), run);
    }
    RunDetails.add(page.section("Environment"), runs, labels);
    return page.footer(Report.footer());
  }

  private static String subtitle(List<ReportRun> runs) {
    String what = runs.stream().map(ReportRun::cargo).distinct().collect(Collectors.joining(", "));
    String links = runs.stream().map(ReportRun::link).distinct().collect(Collectors.joining(", "));
    return "%d runs · %s · %s".formatted(runs.size(), what, links);
  }

  private static void together(
      Section section, List<ReportRun> runs, List<String> labels, List<String> systems) {
    List<DotChart.Series> series = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      ReportRun run = runs.get(i);
      series.add(
          new DotChart.Series(
              labels.get(i), systems.stream().map(system -> dot(find(run, system))).toList()));
    }
    section.chart(
        new DotChart(
            "all-sq",
            "S+Q by system and run",
            "Medians; the line reaches from the fastest to the slowest iteration. Less is better.",
            Axis.logarithmic("S+Q", Unit.SECONDS),
            systems,
            series));
    section.table(table("S+Q", "s", runs, labels, systems, Summary::sqMedianS, true));
    section.table(
        table(
            "S+Q, times as fast as the run's baseline",
            "×",
            runs,
            labels,
            systems,
            Summary::sqSpeedup,
            false));
    section.table(table("Commit", "s", runs, labels, systems, Summary::commitMedianS, true));
  }

  private static Dot dot(@Nullable Summary summary) {
    return summary == null || summary.sqMedianS() == null
        ? Dot.NONE
        : new Dot(summary.sqMedianS(), summary.sqMinS(), summary.sqMaxS());
  }

  private static @Nullable Summary find(ReportRun run, String system) {
    return run.summaries().stream()
        .filter(summary -> summary.system().equals(system))
        .findFirst()
        .orElse(null);
  }

  /** One row a system, one column a run; the best of each run is marked. */
  private static Table table(
      String caption,
      String unit,
      List<ReportRun> runs,
      List<String> labels,
      List<String> systems,
      Function<Summary, @Nullable Double> figure,
      boolean lessIsBetter) {
    Table table = new Table(caption).text("system");
    labels.forEach(label -> table.number(label, unit));
    for (String system : systems) {
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.text(system));
      for (ReportRun run : runs) {
        Summary summary = find(run, system);
        Double value = summary == null ? null : figure.apply(summary);
        Cell cell = lessIsBetter ? Shown.secondsCell(value) : Shown.timesCell(value);
        String best = SystemBars.best(run.summaries(), lessIsBetter ? figure : Summary::sqMedianS);
        cells.add(system.equals(best) ? cell.tone(Tone.GOOD) : cell);
      }
      table.row(Tone.PLAIN, cells);
    }
    return table.note("Medians. The best of each run is marked.");
  }

  /** Runs over different links belong into different charts. */
  private static void overSize(Section section, List<ReportRun> runs, List<String> systems) {
    Map<String, List<ReportRun>> byLink =
        runs.stream()
            .collect(
                Collectors.groupingBy(ReportRun::link, LinkedHashMap::new, Collectors.toList()));
    int number = 0;
    for (Map.Entry<String, List<ReportRun>> entry : byLink.entrySet()) {
      number++;
      section.sideBySide(
          List.of(
              SizeLines.sq(entry.getValue(), systems, "size-sq-" + number),
              SizeLines.commit(entry.getValue(), systems, "size-commit-" + number)));
    }
  }
}
