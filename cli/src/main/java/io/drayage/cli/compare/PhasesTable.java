package io.drayage.cli.compare;

import io.drayage.bench.TextTable;
import io.drayage.bench.result.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the time of whole commits went, and which phase binds; for a terminal. */
final class PhasesTable {
  private static final String NOTHING = "-";

  private PhasesTable() {}

  /** The lines; none if no whole commit was measured. */
  static List<String> of(List<Summary> summaries) {
    if (summaries.stream().allMatch(summary -> summary.commitOverSq() == null)) {
      return List.of();
    }
    List<String> names =
        summaries.stream()
            .flatMap(summary -> summary.phases().byName().keySet().stream())
            .distinct()
            .toList();
    List<String> headings =
        Stream.of(Stream.of("phases, ms"), names.stream(), Stream.of("disk", "/S+Q", "/max"))
            .flatMap(Function.identity())
            .toList();
    TextTable table = new TextTable(headings);
    summaries.forEach(summary -> table.add(row(summary, names)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("medians; *: the longest phase; disk: the same bytes written with fsync");
    lines.add("/S+Q: the whole commit over S+Q; /max: over the larger of S+Q and disk");
    return lines;
  }

  private static List<String> row(Summary summary, List<String> names) {
    Map<String, Double> phases = summary.phases().byName();
    List<String> cells = new ArrayList<>();
    cells.add(summary.system());
    for (String phase : names) {
      String mark = phase.equals(summary.binds()) ? "*" : "";
      cells.add(mark + milliseconds(phases.get(phase)));
    }
    cells.add(milliseconds(summary.diskMedianS()));
    cells.add(ratio(summary.commitOverSq()));
    cells.add(ratio(summary.commitOverBound()));
    return cells;
  }

  private static String milliseconds(@Nullable Double seconds) {
    if (seconds == null) {
      return NOTHING;
    }
    double ms = seconds * 1000;
    return String.format(Locale.ROOT, ms < 10 ? "%.1f" : "%.0f", ms);
  }

  private static String ratio(@Nullable Double value) {
    return value == null ? NOTHING : String.format(Locale.ROOT, "%.2f", value);
  }
}
