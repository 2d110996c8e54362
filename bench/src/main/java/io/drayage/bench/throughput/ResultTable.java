package io.drayage.bench.throughput;

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

  private static final String BUSIEST = "busiest stage, processor time / (threads x S+Q):";

  private ResultTable() {}

  /** The lines of the table, and a legend. */
  static List<String> of(List<Summary> summaries, String baseline) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADINGS);
    summaries.forEach(summary -> rows.add(row(summary)));
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.add(aligned(row, widths(rows))));
    lines.add(MEDIANS.formatted(baseline));
    lines.add(MEMORY);
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

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[HEADINGS.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  /** The first cell to the left, numbers to the right. */
  private static String aligned(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? cell + padding : "  " + padding + cell);
    }
    return line.toString();
  }
}
