package io.drayage.bench.codecs;

import io.drayage.bench.TextTable;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.result.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The study's tables A and B, ours beside the published, and the last line that sums one up.
 *
 * @param withAlloc whether to show what a cargo allocates
 */
record TimingTable(Direction direction, boolean withAlloc) {
  private static final String NOTHING = "-";
  private static final double BYTES_PER_MB = 1e6;
  private static final String THREADS_LEGEND =
      "@N: by a sender with N codec threads, every frame dropped as soon as it is made; x: times as fast as with one";

  /**
   * The lines of the table, and a legend.
   *
   * @param study the study's combinations
   * @param additional the others, below a line
   */
  List<String> of(List<TimingRow> study, List<TimingRow> additional) {
    boolean withCopy = additional.stream().anyMatch(row -> row.ofCopy() != null);
    boolean withThreads =
        additional.stream().map(TimingRow::threads).filter(Objects::nonNull).distinct().count() > 1;
    List<String> headings =
        new ArrayList<>(List.of("codec", "s (min-max)", "MB/s", "score", "published score"));
    if (withCopy) {
      headings.add("of copy");
    }
    if (withThreads) {
      headings.add("x");
    }
    if (withAlloc) {
      headings.add("alloc");
    }
    TextTable table = new TextTable(headings);
    study.forEach(row -> table.add(cells(row, withCopy, withThreads)));
    if (!study.isEmpty() && !additional.isEmpty()) {
      table.addLine();
    }
    additional.forEach(row -> table.add(cells(row, withCopy, withThreads)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(legend());
    if (additional.stream().anyMatch(row -> row.threads() != null)) {
      lines.add(THREADS_LEGEND);
    }
    return lines;
  }

  private String legend() {
    return direction == Direction.SERIALIZATION
        ? "s: median for one cargo, compressed, into 64 MB of memory used in turns; score: times as long as java+none"
        : "s: median for one cargo out of its bytes in memory; score: times as long as java+none";
  }

  private List<String> cells(TimingRow row, boolean withCopy, boolean withThreads) {
    String mark = row.status() == Status.FAILED ? " FAILED" : "";
    List<String> cells =
        new ArrayList<>(
            List.of(
                row.combination() + mark,
                time(row),
                number("%.0f", row.rawMBps()),
                digits(row.score()),
                digits(row.publishedScore())));
    if (withCopy) {
      cells.add(number("%.2f", row.ofCopy()));
    }
    if (withThreads) {
      cells.add(number("%.2f", row.ofOneThread()));
    }
    if (withAlloc) {
      cells.add(alloc(row));
    }
    return cells;
  }

  private static String time(TimingRow row) {
    return row.medianS() == null
        ? NOTHING
        : "%s (%s-%s)".formatted(seconds(row.medianS()), seconds(row.minS()), seconds(row.maxS()));
  }

  private static String seconds(@Nullable Double value) {
    boolean isShort = value == null || value < 10;
    return number(isShort ? "%.4f" : "%.2f", value);
  }

  /** Three digits, as published. */
  private static String digits(@Nullable Double value) {
    if (value == null) {
      return NOTHING;
    }
    return number(value < 1 ? "%.3f" : value < 10 ? "%.2f" : "%.1f", value);
  }

  private static String alloc(TimingRow row) {
    Long bytes = row.allocBytes();
    if (bytes == null) {
      return NOTHING;
    }
    return row.allocBytesPerSegment() == null
        ? number("%,.0f B/MB", bytes * BYTES_PER_MB / Objects.requireNonNull(row.rawBytes()))
        : "%,d B/seg".formatted(row.allocBytesPerSegment());
  }

  private static String number(String format, @Nullable Double value) {
    return value == null ? NOTHING : String.format(Locale.ROOT, format, value);
  }

  /** The last line: the fastest, and whether all went well. */
  String verdict(List<TimingRow> rows) {
    long ok = rows.stream().filter(row -> row.status() == Status.OK).count();
    String health =
        "%d of %d ok%s".formatted(ok, rows.size(), ok == rows.size() ? ", digests equal" : "");
    TimingRow fastest = null;
    for (TimingRow row : rows) {
      boolean isCodec = !row.combination().equals(Combination.COPY);
      if (isCodec && row.rawMBps() != null && (fastest == null || isFaster(row, fastest))) {
        fastest = row;
      }
    }
    if (fastest == null) {
      return "no codec went well, " + health;
    }
    return "%s is the fastest (%s MB/s%s), %s"
        .formatted(
            fastest.combination(),
            number("%.0f", fastest.rawMBps()),
            fastest.score() == null ? "" : ", score " + digits(fastest.score()),
            health);
  }

  private static boolean isFaster(TimingRow row, TimingRow other) {
    return Objects.requireNonNull(row.rawMBps()) > Objects.requireNonNull(other.rawMBps());
  }
}
