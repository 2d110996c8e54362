package io.drayage.bench.codecs;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.Status;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import io.drayage.bench.table.TableCell;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The study's tables A, B and C, with our figures beside the published ones, and a summary line for
 * each. Combinations that the study did not measure are below a line.
 */
public final class CodecTables {
  private static final double NEAR = 0.08;
  private static final double FAR = 0.15;

  /** Megabytes with at least three digits, as published. */
  private static final Format MEGABYTES =
      new Format("MB", 1e-6, value -> printf(value < 10 ? "%.2f" : "%.1f", value));

  private static final Format DEVIATION = new Format("", 100, value -> printf("%+.1f %%", value));
  private static final Format SECONDS =
      new Format("s", 1, value -> printf(value < 10 ? "%.4f" : "%.2f", value));

  private CodecTables() {}

  private static String printf(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }

  /** Makes table C. */
  public static Table sizes(List<SizeRow> rows) {
    return start(rows)
        .number("bytes", Format.COUNT, SizeRow::bytes)
        .number("", MEGABYTES, SizeRow::bytes)
        .number("ratio", Format.RATIO, SizeRow::ratio)
        .number("published", MEGABYTES, SizeRow::publishedBytes)
        .number("deviation", DEVIATION, SizeRow::deviation)
        .build();
  }

  /**
   * Makes tables A and B.
   *
   * @param withAlloc whether to show the allocated bytes of a cargo
   */
  public static Table times(List<TimingRow> rows, Direction direction, boolean withAlloc) {
    TableBuilder<TimingRow> table =
        start(rows)
            .spread("", SECONDS, TimingRow::medianS, TimingRow::minS, TimingRow::maxS)
            .number("", Format.MEGABYTES_PER_SECOND, TimingRow::rawMBps)
            .number("score", Format.DIGITS, row -> row.scores().score())
            .number("published score", Format.DIGITS, row -> row.scores().publishedScore());
    if (rows.stream().anyMatch(row -> row.scores().ofCopy() != null)) {
      table.number("of copy", Format.RATIO, row -> row.scores().ofCopy());
    }
    long threadCounts =
        rows.stream()
            .map(row -> row.combination().threads())
            .filter(Objects::nonNull)
            .distinct()
            .count();
    if (threadCounts > 1) {
      table.number("x", Format.RATIO, row -> row.scores().ofOneThread());
    }
    if (withAlloc) {
      table.cells("alloc", "", true, row -> alloc(row.volume()));
    }
    table.note(
        direction == Direction.SERIALIZATION
            ? "s: median for one cargo, compressed, into 64 MB of memory that is reused; score: time over that of java+none"
            : "s: median for one cargo out of its bytes in memory; score: time over that of java+none");
    if (threadCounts > 0) {
      table.note(
          "@N: by a sender with N codec threads, every frame dropped as soon as it is made; x: speed over that of one thread");
    }
    return table.build();
  }

  private static <R extends CodecRow> TableBuilder<R> start(List<R> rows) {
    List<Combination> study = Combination.study();
    Combination first =
        rows.stream()
            .map(CodecRow::combination)
            .filter(combination -> !study.contains(combination))
            .findFirst()
            .filter(combination -> !combination.equals(rows.get(0).combination()))
            .orElse(null);
    return Table.<R>of("Codecs", rows)
        .text("codec", row -> row.combination() + (row.status() == Status.FAILED ? " FAILED" : ""))
        .ruleAbove(row -> row.combination().equals(first));
  }

  private static TableCell alloc(TimingRow.Volume volume) {
    Long bytes = volume.allocBytes();
    Long perSegment = volume.allocBytesPerSegment();
    if (bytes == null) {
      return TableCell.NONE;
    }
    if (perSegment != null) {
      return TableCell.number(perSegment.doubleValue(), format("%,d B/seg", perSegment));
    }
    double perMegabyte = bytes * 1e6 / Objects.requireNonNull(volume.rawBytes());
    return TableCell.number(perMegabyte, printf("%,.0f B/MB", perMegabyte));
  }

  /**
   * Returns the last line of table C.
   *
   * @param publishedInputMegabytes of the study's input; null if it had none of this size
   */
  public static String verdictOfSizes(
      List<SizeRow> rows, long rawBytes, @Nullable Double publishedInputMegabytes) {
    StringBuilder line = new StringBuilder();
    long compared = rows.stream().filter(row -> row.publishedBytes() != null).count();
    if (compared > 0) {
      line.append(
          format(
              "%d of %d within %.0f %%, %d within %.0f %% of the published; ",
              within(rows, NEAR), compared, 100 * NEAR, within(rows, FAR), 100 * FAR));
    }
    line.append(printf("raw %.1f MB", rawBytes / 1e6));
    if (publishedInputMegabytes != null) {
      line.append(printf(", published %.1f MB", publishedInputMegabytes))
          .append(" (%s)".formatted(DEVIATION.text(rawBytes / 1e6 / publishedInputMegabytes - 1)));
    }
    if (compared == 0) {
      line.append("; nothing was published for this cargo");
    }
    long failed = rows.size() - ok(rows);
    return line.append(failed == 0 ? "" : format("; %d of %d FAILED", failed, rows.size()))
        .toString();
  }

  private static long within(List<SizeRow> rows, double limit) {
    return rows.stream()
        .map(SizeRow::deviation)
        .filter(deviation -> deviation != null && Math.abs(deviation) <= limit)
        .count();
  }

  private static long ok(List<? extends CodecRow> rows) {
    return rows.stream().filter(row -> row.status() == Status.OK).count();
  }

  /** Returns the last line of tables A and B: the fastest, and whether all succeeded. */
  public static String verdictOfTimes(List<TimingRow> rows) {
    long ok = ok(rows);
    String health =
        format("%d of %d ok%s", ok, rows.size(), ok == rows.size() ? ", digests equal" : "");
    return rows.stream()
        .filter(row -> row.rawMBps() != null && !row.combination().equals(Combination.COPY))
        .max(Comparator.comparingDouble(row -> Objects.requireNonNull(row.rawMBps())))
        .map(
            fastest ->
                "%s is the fastest (%s MB/s, score %s), %s"
                    .formatted(
                        fastest.combination(),
                        Format.MEGABYTES_PER_SECOND.cell(fastest.rawMBps()).text(),
                        Format.DIGITS.cell(fastest.scores().score()).text(),
                        health))
        .orElse("no codec succeeded, " + health);
  }
}
