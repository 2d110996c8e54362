package io.drayage.cli.compare;

import io.drayage.bench.TextTable;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The summaries as a table for a terminal, at most 120 columns wide for usual names. */
final class ResultTable {
  private static final String NOTHING = "-";
  private static final List<String> HEADINGS =
      List.of(
          "system",
          "S+Q s (min-max)",
          "commit s",
          "MB/s",
          "wire MB",
          "beyond MB*",
          "CPU s",
          "S+Q x",
          "commit x");
  private static final String MEDIANS = "S+Q, commit, CPU: medians; x: times as fast as %s";
  private static final String MEMORY =
      "* worker/transactor: peak of heap, garbage included, and direct memory beyond the cargo";

  private static final String NO_COMMIT =
      "commit -: a peer ships the cargo and holds it; it has no database to commit to";

  private static final String BUSIEST = "busiest stage, processor time / (threads x S+Q):";

  private ResultTable() {}

  /** The lines of the table, and a legend. */
  static List<String> of(List<Summary> summaries, String baseline) {
    TextTable table = new TextTable(HEADINGS);
    summaries.forEach(summary -> table.add(row(summary)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(MEDIANS.formatted(baseline));
    lines.add(MEMORY);
    if (summaries.stream().anyMatch(ResultTable::commitsNothing)) {
      lines.add(NO_COMMIT);
    }
    if (summaries.stream().anyMatch(summary -> summary.busiest() != null)) {
      lines.add(BUSIEST);
    }
    for (Summary summary : summaries) {
      if (summary.busiest() != null) {
        lines.add("  %s: %s".formatted(summary.system(), summary.busiest()));
      }
    }
    return lines;
  }

  private static boolean commitsNothing(Summary summary) {
    return summary.sqMedianS() != null && summary.commitMedianS() == null;
  }

  private static List<String> row(Summary summary) {
    String mark = summary.status() == Status.FAILED ? " FAILED" : "";
    return List.of(
        summary.system() + mark,
        withSpread(summary),
        seconds(summary.commitMedianS()),
        number("%.0f", summary.rawMBps()),
        megabytes(summary.wireBytes()),
        megabytes(summary.workerBeyondCargoBytes())
            + "/"
            + megabytes(summary.transactorBeyondCargoBytes()),
        number("%.2f", summary.cpuMedianS()),
        number("%.2f", summary.sqSpeedup()),
        number("%.2f", summary.commitSpeedup()));
  }

  private static String withSpread(Summary summary) {
    return summary.sqMedianS() == null
        ? NOTHING
        : "%s (%s-%s)"
            .formatted(
                seconds(summary.sqMedianS()), seconds(summary.sqMinS()), seconds(summary.sqMaxS()));
  }

  /** To the millisecond, but no more than five digits. */
  private static String seconds(@Nullable Double value) {
    boolean isShort = value == null || value < 10;
    return number(isShort ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
  }

  private static String number(String format, @Nullable Double value) {
    return value == null ? NOTHING : String.format(Locale.ROOT, format, value);
  }

  private static String megabytes(@Nullable Long bytes) {
    return bytes == null ? NOTHING : number("%.0f", bytes / 1e6);
  }
}
