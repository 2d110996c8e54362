package io.drayage.bench.report;

import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.BarChart;
import io.drayage.bench.page.BarChart.Bar;
import io.drayage.bench.page.BarChart.BarTone;
import io.drayage.bench.page.StackedChart;
import io.drayage.bench.page.StackedChart.Part;
import io.drayage.bench.result.CeilingShare;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Summary;
import io.drayage.bench.table.Format;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The charts of one run, a bar per system. */
final class RunCharts {
  private static final Axis SECONDS = Axis.of("seconds, less is better", Unit.SECONDS);
  private static final String SPREAD =
      "Median; the line reaches from the fastest to the slowest iteration, each is a dot.";

  /** The colours of the phases, the same in every chart: those of S+Q have one hue. */
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

  private RunCharts() {}

  static BarChart sq(ReportRun run, String id) {
    return times(
        run,
        BarChart.of(id, "S+Q, " + run.describe(), SECONDS)
            .note(
                SPREAD
                    + " From the start of serialization until the transactor has received the"
                    + " cargo, decoded and verified."),
        Run::sqS,
        Summary::sqMedianS,
        Summary::sqSpeedup);
  }

  static BarChart commit(ReportRun run, String id) {
    String until =
        run.extent().equals("whole")
            ? " From the request until the worker has loaded the published snapshot."
            : " From the request until the cargo took effect in the transactor's memory.";
    return times(
        run,
        BarChart.of(id, "Commit, " + run.describe(), SECONDS).note(SPREAD + until),
        Run::commitS,
        Summary::commitMedianS,
        Summary::commitSpeedup);
  }

  private static BarChart times(
      ReportRun run,
      BarChart empty,
      Function<Run, @Nullable Double> value,
      Function<Summary, @Nullable Double> median,
      Function<Summary, @Nullable Double> speedup) {
    String best = SummaryTables.best(run.summaries(), median);
    BarChart chart = empty;
    for (Summary summary : run.summaries()) {
      Double middle = median.apply(summary);
      if (middle == null) {
        chart = chart.bar(without(summary));
        continue;
      }
      List<Double> points =
          run.okRuns(summary.system()).stream()
              .map(value)
              .filter(Objects::nonNull)
              .sorted()
              .toList();
      Double times = speedup.apply(summary);
      boolean isBase = summary.system().equals(run.baseline());
      boolean isOk = summary.runsFailed() == 0;
      String remark =
          !isOk
              ? "  %d failed".formatted(summary.runsFailed())
              : isBase ? "  baseline" : times == null ? "" : "  " + times(times);
      Bar bar =
          Bar.of(summary.system(), middle, seconds(middle) + remark)
              .points(points)
              .tone(tone(isOk, summary.system().equals(best), isBase));
      chart =
          chart.bar(
              points.isEmpty() ? bar : bar.spread(points.get(0), points.get(points.size() - 1)));
    }
    return chart;
  }

  /** A peer may have no commit although it went well. */
  private static Bar without(Summary summary) {
    return summary.runsOk() > 0 && summary.runsFailed() == 0
        ? Bar.missing(summary.system())
        : Bar.failed(summary.system(), "failed");
  }

  private static BarTone tone(boolean isOk, boolean isBest, boolean isBase) {
    return !isOk ? BarTone.FAILED : isBest ? BarTone.BEST : isBase ? BarTone.BASE : BarTone.PLAIN;
  }

  /** How many bytes each system sent. */
  static BarChart wire(ReportRun run, String id) {
    BarChart chart =
        BarChart.of(id, "Bytes sent, " + run.describe(), Axis.of("bytes on the wire", Unit.BYTES))
            .note("All frames with their headers; beside it, raw bytes per byte sent.");
    Long least =
        run.summaries().stream()
            .map(Summary::wireBytes)
            .filter(Objects::nonNull)
            .min(Long::compare)
            .orElse(null);
    for (Summary summary : run.summaries()) {
      Long bytes = summary.wireBytes();
      Double ratio = summary.ratio();
      boolean isBase = summary.system().equals(run.baseline());
      chart =
          chart.bar(
              bytes == null || ratio == null
                  ? without(summary)
                  : Bar.of(
                          summary.system(),
                          bytes,
                          "%s MB  %s".formatted(Format.MEGABYTES.text(bytes), times(ratio)))
                      .tone(tone(true, bytes.equals(least), isBase)));
    }
    return chart;
  }

  /** Where the time of the commits went. */
  static StackedChart phases(ReportRun run, String id) {
    List<Part> parts = new ArrayList<>();
    for (String phase : SummaryTables.phaseNames(run.summaries())) {
      List<@Nullable Double> values = new ArrayList<>();
      run.summaries().forEach(summary -> values.add(summary.phases().byName().get(phase)));
      parts.add(new Part(phase, COLORS.getOrDefault(phase, 9), values));
    }
    return new StackedChart(
        id,
        "Phases, " + run.describe(),
        "Medians of the phases, which follow each other; their sum may differ from the median of"
            + " the commit. S+Q is serialize, drain and decode.",
        Axis.of("seconds", Unit.SECONDS),
        run.systems(),
        parts);
  }

  /** How near each system came to what the machine can do. */
  static BarChart ceilings(ReportRun run, Ceilings ceilings, String id) {
    BarChart chart =
        BarChart.of(
                id, "Share of the ceiling that is nearest", Axis.of("of the ceiling", Unit.PERCENT))
            .note(
                "100 % is what the machine did by itself in the same hour. waiting: no ceiling is"
                    + " near, the ends wait for each other.");
    String best = SummaryTables.best(run.summaries(), Summary::sqMedianS);
    for (CeilingShare share : ceilings.systems()) {
      String system = share.system();
      Double largest = nearest(share);
      chart =
          chart.bar(
              largest == null
                  ? Bar.failed(system, "not known")
                  : Bar.of(
                          system,
                          100 * largest,
                          "%s  %s"
                              .formatted(
                                  percent(largest), Objects.requireNonNullElse(share.binds(), "")))
                      .tone(tone(true, system.equals(best), system.equals(run.baseline()))));
    }
    return chart;
  }

  /** The largest share; null if none was measured. */
  static @Nullable Double nearest(CeilingShare share) {
    return Stream.of(share.wire(), share.processor(), share.codec(), share.copy(), share.disk())
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  static String seconds(double value) {
    return Math.abs(value) < 0.0995
        ? Format.DIGITS.text(1e3 * value) + " ms"
        : Format.DIGITS.text(value) + " s";
  }

  /** {@code 6.0×}. */
  static String times(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f×" : "%.1f×", value);
  }

  static String percent(double share) {
    return Format.SHARE.text(share) + " %";
  }
}
