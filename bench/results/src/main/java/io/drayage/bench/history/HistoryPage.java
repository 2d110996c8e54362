package io.drayage.bench.history;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.compare.Difference;
import io.drayage.bench.history.Trend.Change;
import io.drayage.bench.page.Page;
import io.drayage.bench.page.Section;
import io.drayage.bench.page.TrendChart;
import io.drayage.bench.page.TrendChart.Level;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.Tone;
import io.drayage.internal.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The page of results over time: each metric of each system, and the runs at which it changed. */
public final class HistoryPage {
  /** Older changes are only in the table. */
  private static final int SHOWN_CHANGES = 4;

  private static final String METHOD =
      "A change is marked where the runs before it and after it differ more than in 99.7 % of their"
          + " random orders (E-divisive means, Matteson and James 2014), with at least three runs on"
          + " each side. Of a hundred charts without a change, at most one has a mark. The size of"
          + " a change and its interval are those of drayage compare, of the runs between two"
          + " changes. Each metric is better if it is less. A slow machine changes all metrics but"
          + " S+Q / base and sent.";

  private HistoryPage() {}

  private record Row(Trend trend, Change change) {}

  /**
   * Makes the page.
   *
   * @param histories at least one, whose tables are beside the page
   */
  public static Page of(List<History> histories) {
    boolean isAlone = histories.size() == 1;
    Page page = new Page("Drayage history");
    page.subtitle(
        isAlone
            ? histories.get(0).describe()
            : format("%d histories, each of one name, cargo, link and machine", histories.size()));
    for (int i = 0; i < histories.size(); i++) {
      History history = histories.get(i);
      addVerdicts(page, history, isAlone ? "" : history.describe() + ": ");
      Section own = isAlone ? null : page.section(history.describe());
      add(history, heading -> own == null ? page.section(heading) : own, "-" + (i + 1));
    }
    page.section("Method").text(METHOD);
    return page.footer("Written by drayage report. Nothing on this page is loaded from a network.");
  }

  private static List<Row> rows(History history) {
    return history.trends().stream()
        .flatMap(trend -> trend.changes().stream().map(change -> new Row(trend, change)))
        .sorted(Comparator.comparingInt((Row row) -> row.change.run()).reversed())
        .toList();
  }

  private static void addVerdicts(Page page, History history, String label) {
    TreeMap<Integer, List<Row>> byRun =
        rows(history).stream()
            .collect(
                Collectors.groupingBy(row -> row.change.run(), TreeMap::new, Collectors.toList()));
    if (byRun.isEmpty()) {
      page.verdict(
          "%sNo change in %s".formatted(label, Counted.of(history.runs().size(), "run")),
          Tone.PLAIN);
    }
    byRun.descendingMap().entrySet().stream()
        .limit(SHOWN_CHANGES)
        .forEach(
            entry -> {
              ReportRun run = history.runs().get(entry.getKey());
              String changes =
                  entry.getValue().stream()
                      .map(HistoryPage::describe)
                      .collect(Collectors.joining(", "));
              page.verdict(
                  "%sSince %s (%s): %s"
                      .formatted(label, History.label(run), History.minute(run), changes),
                  entry.getValue().stream().anyMatch(row -> isWorse(row.change))
                      ? Tone.BAD
                      : Tone.GOOD);
            });
  }

  private static String describe(Row row) {
    return "%s of %s %s"
        .formatted(
            row.trend.metric().axis().title(),
            row.trend.system(),
            row.change.difference().changeText());
  }

  private static boolean isWorse(Change change) {
    return change.difference().changePercent() > 0;
  }

  private static void add(History history, Function<String, Section> sections, String suffix) {
    List<Row> rows = rows(history);
    if (!rows.isEmpty()) {
      sections.apply("Changes").table(changes(history, rows));
    }
    List<String> systems = history.trends().stream().map(Trend::system).distinct().toList();
    for (int i = 0; i < systems.size(); i++) {
      String system = systems.get(i);
      String id = format("trend%s-%d", suffix, i + 1);
      sections
          .apply(system)
          .sideBySide(
              history.trends().stream()
                  .filter(trend -> trend.system().equals(system))
                  .map(trend -> chart(history.runs(), trend, id + "-" + trend.metric()))
                  .toList());
    }
    sections
        .apply("Runs")
        .table(runs(history))
        .link(history.file(), history.file(), "every run and metric, for other tools");
  }

  private static TrendChart chart(List<ReportRun> runs, Trend trend, String id) {
    List<TrendChart.Run> shown = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      ReportRun run = runs.get(i);
      shown.add(
          new TrendChart.Run(
              History.label(run),
              format("run %d, %s, %s", i + 1, History.minute(run), History.label(run)),
              trend.median(i),
              trend.launches().get(i)));
    }
    return new TrendChart(
        id,
        "%s, %s".formatted(trend.metric().axis().title(), trend.system()),
        trend.changes().isEmpty()
            ? "No change."
            : trend.changes().stream()
                .map(change -> describe(runs, change))
                .collect(Collectors.joining(" ")),
        trend.metric().axis(),
        shown,
        levels(trend, runs.size()));
  }

  private static String describe(List<ReportRun> runs, Change change) {
    return format(
        "%s since run %d, %s (99 %% interval %s).",
        change.difference().changeText(),
        change.run() + 1,
        History.label(runs.get(change.run())),
        change.difference().intervalText());
  }

  private static List<Level> levels(Trend trend, int runs) {
    List<Level> levels = new ArrayList<>();
    for (int i = 0; i <= trend.changes().size(); i++) {
      Change change = i == 0 ? null : trend.changes().get(i - 1);
      int from = change == null ? 0 : change.run();
      int to = i == trend.changes().size() ? runs : trend.changes().get(i).run();
      Double value = trend.median(from, to);
      if (value != null) {
        levels.add(
            new Level(
                from,
                to - 1,
                value,
                change == null ? "" : change.difference().changeText(),
                change == null ? Tone.PLAIN : isWorse(change) ? Tone.BAD : Tone.GOOD));
      }
    }
    return levels;
  }

  private static Table changes(History history, List<Row> rows) {
    List<ReportRun> runs = history.runs();
    return Table.of("Changes, the latest first", rows)
        .number("run", Format.COUNT, row -> row.change.run() + 1)
        .text("day", row -> History.minute(runs.get(row.change.run())).substring(0, 10))
        .text(
            "commits",
            row ->
                "%s..%s"
                    .formatted(
                        History.label(runs.get(row.change.before())),
                        History.label(runs.get(row.change.run()))))
        .text("system", row -> row.trend.system())
        .text("metric", row -> row.trend.metric().heading())
        .number(
            "before",
            Format.DIGITS,
            row -> row.trend.metric().shown(row.change.difference().base()))
        .number(
            "after",
            Format.DIGITS,
            row -> row.trend.metric().shown(row.change.difference().fresh()))
        .number("change %", Format.of("", "%+.1f"), row -> row.change.difference().changePercent())
        .text("99 % interval", row -> row.change.difference().intervalText())
        .text("runs", row -> runsOf(row.change.difference()))
        .note(
            "commits: the build of the last run before the change, and of the first run after it. runs:"
                + " their numbers before and after the change.")
        .build();
  }

  private static String runsOf(Difference difference) {
    return format("%d, %d", difference.baseCount(), difference.freshCount());
  }

  private static Table runs(History history) {
    List<ReportRun> runs = history.runs();
    return Table.of("Runs", IntStream.range(0, runs.size()).boxed().toList())
        .number("run", Format.COUNT, i -> i + 1)
        .text("time", i -> History.minute(runs.get(i)))
        .text("commit", i -> History.label(runs.get(i)))
        .text("JDK", i -> runs.get(i).environment().path("jdkVersion").asText("?"))
        .number("failed turns", Format.COUNT, i -> failed(runs.get(i)))
        .text("file", i -> String.valueOf(runs.get(i).file().getFileName()))
        .note("commit: + if the build had changes that are not in the commit.")
        .build();
  }

  private static long failed(ReportRun run) {
    return run.runs().stream().map(Run::status).filter(status -> status == Status.FAILED).count();
  }
}
