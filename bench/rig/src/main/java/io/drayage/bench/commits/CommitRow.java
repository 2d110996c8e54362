package io.drayage.bench.commits;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * All rounds of one system with one number of callers: medians, as written to JSON.
 *
 * @param status {@link Status#FAILED} if one round failed
 * @param minPerSecond the slowest round
 * @param maxPerSecond the fastest round
 * @param worstS the longest answer time of all rounds
 */
public record CommitRow(
    String system,
    int callers,
    Status status,
    @Nullable Double perSecond,
    @Nullable Double minPerSecond,
    @Nullable Double maxPerSecond,
    @Nullable Double p50S,
    @Nullable Double p99S,
    @Nullable Double worstS,
    @Nullable Double serverCpuMs,
    @Nullable Double objects,
    @Nullable Double bytes,
    @Nullable String error) {
  private static final Format CPU_MS = Format.of("ms", "%.3f");

  static CommitRow of(List<CommitRound> rounds) {
    List<CommitRound> ok = rounds.stream().filter(round -> round.status() == Status.OK).toList();
    String error =
        rounds.stream().map(CommitRound::error).filter(Objects::nonNull).findFirst().orElse(null);
    double[] rates = values(ok, CommitRound::perSecond).sorted().toArray();
    return new CommitRow(
        rounds.get(0).system(),
        rounds.get(0).callers(),
        error == null ? Status.OK : Status.FAILED,
        Medians.of(ok, CommitRound::perSecond),
        ok.isEmpty() ? null : (Double) rates[0],
        ok.isEmpty() ? null : (Double) rates[rates.length - 1],
        Medians.of(ok, CommitRound::p50S),
        Medians.of(ok, CommitRound::p99S),
        ok.isEmpty() ? null : (Double) values(ok, CommitRound::worstS).max().orElseThrow(),
        Medians.of(ok, CommitRound::serverCpuMs),
        Medians.of(ok, CommitRound::objects),
        Medians.of(ok, CommitRound::bytes),
        error);
  }

  private static DoubleStream values(
      List<CommitRound> rounds, Function<CommitRound, @Nullable Double> figure) {
    return rounds.stream().map(figure).filter(Objects::nonNull).mapToDouble(Double::doubleValue);
  }

  /** Makes the table of the rows, for people. */
  public static Table table(List<CommitRow> rows) {
    return Table.of("Commits", rows)
        .text("system", CommitRow::system)
        .number("callers", Format.COUNT, CommitRow::callers)
        .spread(
            "commits/s",
            Format.COUNT,
            CommitRow::perSecond,
            CommitRow::minPerSecond,
            CommitRow::maxPerSecond)
        .number("p50", Format.MILLISECONDS, CommitRow::p50S)
        .number("p99", Format.MILLISECONDS, CommitRow::p99S)
        .number("worst", Format.MILLISECONDS, CommitRow::worstS)
        .number("CPU", CPU_MS, CommitRow::serverCpuMs)
        .number("files", Format.DIGITS, CommitRow::objects)
        .number("bytes", Format.COUNT, CommitRow::bytes)
        .build();
  }

  /** Returns the last line: the rates beside those of another system; null without another one. */
  public static @Nullable String verdict(List<CommitRow> rows) {
    List<String> ratios = new ArrayList<>();
    CommitRow other = null;
    for (CommitRow row : rows) {
      for (CommitRow beside : rows) {
        Double rate = row.perSecond;
        Double otherRate = beside.perSecond;
        if (row.system.equals(rows.get(0).system)
            && !beside.system.equals(row.system)
            && beside.callers == row.callers
            && rate != null
            && otherRate != null) {
          other = beside;
          ratios.add(format("%.2f (%d)", rate / otherRate, row.callers));
        }
      }
    }
    return other == null
        ? null
        : "%s commits %s times as fast as %s (callers)"
            .formatted(rows.get(0).system, String.join(", ", ratios), other.system);
  }
}
