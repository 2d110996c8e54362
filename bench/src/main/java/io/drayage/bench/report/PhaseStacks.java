package io.drayage.bench.report;

import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.StackedChart;
import io.drayage.bench.page.StackedChart.Part;
import io.drayage.bench.page.Table;
import io.drayage.bench.result.Summary;
import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where the time of the commits went: a stack a system, and the same as a table. */
final class PhaseStacks {
  /** The colours of the phases, the same in every chart: those of S+Q are of one hue. */
  private static final Map<String, Integer> COLORS =
      new TreeMap<>(
          Map.of(
              "request", 0,
              "serialize", 1,
              "drain", 2,
              "decode", 3,
              "apply", 4,
              "upload", 5,
              "snapshot", 6,
              "publish", 7,
              "load", 8,
              "convert", 9));

  private static final String NOTE =
      "Medians of the phases, which follow each other; their sum may differ from the median of the"
          + " commit. S+Q is serialize, drain and decode.";

  private PhaseStacks() {}

  static StackedChart chart(ReportRun run, String id) {
    List<Part> parts = new ArrayList<>();
    for (String phase : phases(run)) {
      List<@Nullable Double> values = new ArrayList<>();
      run.summaries().forEach(summary -> values.add(summary.phases().byName().get(phase)));
      parts.add(new Part(phase, COLORS.getOrDefault(phase, 9), values));
    }
    return new StackedChart(
        id,
        "Phases, " + run.describe(),
        NOTE,
        Axis.of("seconds", Unit.SECONDS),
        run.summaries().stream().map(Summary::system).toList(),
        parts);
  }

  /** With the disk's time and the ratios, where whole commits were measured. */
  static Table table(ReportRun run) {
    List<String> phases = phases(run);
    Table table = new Table("Phases").text("system");
    phases.forEach(phase -> table.number(phase, "ms"));
    table.number("disk", "ms").number("commit / S+Q").number("commit / bound");
    table.note(
        "Medians; the longest phase is marked. disk: the same bytes written with fsync; bound: the"
            + " larger of S+Q and disk.");
    for (Summary summary : run.summaries()) {
      Map<String, Double> values = summary.phases().byName();
      List<Cell> cells = new ArrayList<>();
      cells.add(Cell.text(summary.system()));
      for (String phase : phases) {
        Cell cell = Shown.millisecondsCell(values.get(phase));
        cells.add(phase.equals(summary.binds()) ? cell.tone(Tone.GOOD) : cell);
      }
      cells.add(Shown.millisecondsCell(summary.diskMedianS()));
      cells.add(Shown.timesCell(summary.commitOverSq()));
      cells.add(Shown.timesCell(summary.commitOverBound()));
      table.row(Tone.PLAIN, cells);
    }
    return table;
  }

  private static List<String> phases(ReportRun run) {
    return run.summaries().stream()
        .flatMap(summary -> summary.phases().byName().keySet().stream())
        .distinct()
        .toList();
  }
}
