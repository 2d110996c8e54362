package io.drayage.cli.compare;

import io.drayage.bench.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rungs as a table for a terminal. */
final class LadderTable {
  private static final String NOTHING = "-";

  private LadderTable() {}

  /** The lines of the table, and a legend. */
  static List<String> of(List<RungSummary> rungs) {
    TextTable table =
        new TextTable(
            List.of("rung", "change", "S+Q s (min-max)", "MB/s", "CPU s", "gain", "over", "total"));
    rungs.forEach(rung -> table.add(row(rung)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(
        "gain: times as fast as the rung 'over', by the medians of S+Q, in turns with it;"
            + " total: as rung 1");
    for (RungSummary rung : rungs) {
      if (rung.isSkipped()) {
        lines.add("skipped %d, %s: %s".formatted(rung.rung(), rung.name(), rung.reason()));
      }
    }
    return lines;
  }

  private static List<String> row(RungSummary rung) {
    return List.of(
        "%d %s%s".formatted(rung.rung(), rung.name(), mark(rung)),
        rung.change(),
        withSpread(rung),
        number("%.0f", rung.rawMBps()),
        number("%.2f", rung.cpuMedianS()),
        number("%.2f", rung.gain()),
        rung.overNumber() == null ? NOTHING : String.valueOf(rung.overNumber()),
        number("%.2f", rung.sqSpeedup()));
  }

  private static String mark(RungSummary rung) {
    return rung.isOk() ? "" : rung.isSkipped() ? " SKIPPED" : " FAILED";
  }

  private static String withSpread(RungSummary rung) {
    return rung.sqMedianS() == null
        ? NOTHING
        : "%s (%s-%s)"
            .formatted(
                number("%.3f", rung.sqMedianS()),
                number("%.3f", rung.sqMinS()),
                number("%.3f", rung.sqMaxS()));
  }

  private static String number(String format, @Nullable Double value) {
    return value == null ? NOTHING : String.format(Locale.ROOT, format, value);
  }
}
