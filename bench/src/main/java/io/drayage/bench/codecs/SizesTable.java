package io.drayage.bench.codecs;

import io.drayage.bench.TextTable;
import io.drayage.bench.result.Status;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The study's table C, ours beside the published, and the last line that sums it up. */
final class SizesTable {
  private static final String NOTHING = "-";
  private static final double NEAR = 0.08;
  private static final double FAR = 0.15;

  private SizesTable() {}

  /**
   * The lines of the table.
   *
   * @param study the study's combinations
   * @param additional the others, below a line
   */
  static List<String> of(List<SizeRow> study, List<SizeRow> additional) {
    TextTable table =
        new TextTable(List.of("codec", "bytes", "MB", "ratio", "published MB", "deviation"));
    study.forEach(row -> table.add(cells(row)));
    if (!study.isEmpty() && !additional.isEmpty()) {
      table.addLine();
    }
    additional.forEach(row -> table.add(cells(row)));
    return table.lines();
  }

  private static List<String> cells(SizeRow row) {
    String mark = row.status() == Status.FAILED ? " FAILED" : "";
    Long bytes = row.bytes();
    return List.of(
        row.combination() + mark,
        bytes == null ? NOTHING : "%,d".formatted(bytes),
        megabytes(bytes),
        number("%.2f", row.ratio()),
        megabytes(row.publishedBytes()),
        row.deviation() == null ? NOTHING : percent(row.deviation()));
  }

  /** To three digits at least, as published. */
  private static String megabytes(@Nullable Long bytes) {
    if (bytes == null) {
      return NOTHING;
    }
    double megabytes = bytes / 1e6;
    return number(megabytes < 10 ? "%.2f" : "%.1f", megabytes);
  }

  private static String number(String format, @Nullable Double value) {
    return value == null ? NOTHING : String.format(Locale.ROOT, format, value);
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%+.1f %%", 100 * fraction);
  }

  /**
   * The last line.
   *
   * @param publishedInputMegabytes what the study's input had; null if it had none of this size
   */
  static String verdict(
      List<SizeRow> rows, long rawBytes, @Nullable Double publishedInputMegabytes) {
    StringBuilder line = new StringBuilder();
    long compared = rows.stream().filter(row -> row.publishedBytes() != null).count();
    if (compared > 0) {
      line.append(
          "%d of %d within %.0f %%, %d within %.0f %% of the published; "
              .formatted(within(rows, NEAR), compared, 100 * NEAR, within(rows, FAR), 100 * FAR));
    }
    line.append(String.format(Locale.ROOT, "raw %.1f MB", rawBytes / 1e6));
    if (publishedInputMegabytes != null) {
      line.append(
          String.format(
              Locale.ROOT,
              ", published %.1f MB (%s)",
              publishedInputMegabytes,
              percent(rawBytes / 1e6 / publishedInputMegabytes - 1)));
    }
    long failed = rows.stream().filter(row -> row.status() == Status.FAILED).count();
    if (compared == 0) {
      line.append("; nothing was published for this cargo");
    }
    return line.append(failed == 0 ? "" : "; %d of %d FAILED".formatted(failed, rows.size()))
        .toString();
  }

  private static long within(List<SizeRow> rows, double deviation) {
    return rows.stream()
        .filter(row -> row.deviation() != null && Math.abs(row.deviation()) <= deviation)
        .count();
  }
}
