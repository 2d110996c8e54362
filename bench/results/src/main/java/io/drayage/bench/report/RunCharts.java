package io.drayage.bench.report;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.BarChart;
import io.drayage.bench.page.BarChart.Bar;
import io.drayage.bench.page.BarChart.BarTone;
import io.drayage.bench.page.StackedChart;
import io.drayage.bench.page.StackedChart.Layer;
import io.drayage.bench.result.CeilingShare;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Speedup;
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

  /** The colours of the phases, the same in every chart; the phases of S+Q have one hue. */
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
    return new BarChart(
        id,
        "S+Q, " + run.describe(),
        SPREAD
            + " From the start of serialization until the transactor has received the cargo,"
            + " decoded and verified.",
        SECONDS,
        times(run, Run::sqS, Summary::sqMedianS, Summary::sq));
  }

  static BarChart commit(ReportRun run, String id) {
    String until =
        run.extent().equals("whole")
            ? " From the request until the worker has loaded the published snapshot."
            : " From the request until the cargo took effect in the transactor's memory.";
    return new BarChart(
        id,
        "Commit, " + run.describe(),
        SPREAD + until,
        SECONDS,
        times(run, Run::commitS, Summary::commitMedianS, Summary::commit));
  }

  private static List<Bar> times(
      ReportRun run,
      Function<Run, @Nullable Double> value,
      Function<Summary, @Nullable Double> median,
      Function<Summary, Speedup> speedup) {
    String best = SummaryTables.best(run.summaries(), median);
    List<Bar> bars = new ArrayList<>();
    for (Summary summary : run.summaries()) {
      Double middle = median.apply(summary);
      Speedup times = speedup.apply(summary);
      String remark =
          summary.counts().runsFailed() > 0
              ? format("  %d failed", summary.counts().runsFailed())
              : isBase(run, summary) ? "  baseline" : "  " + times(times);
      Stream<Double> values =
          run.countedRuns(summary.system()).stream().map(value).filter(Objects::nonNull).sorted();
      bars.add(
          middle == null
              ? without(summary)
              : Bar.of(
                      summary.system(),
                      middle,
                      seconds(middle) + remark,
                      tone(run, summary, summary.system().equals(best)))
                  .over(values.toList()));
    }
    return bars;
  }

  /** Makes a bar without a commit. A peer may succeed without one. */
  private static Bar without(Summary summary) {
    boolean isOk = summary.counts().runsOk() > 0 && summary.counts().runsFailed() == 0;
    return isOk
        ? Bar.none(summary.system(), "not measured", BarTone.PLAIN)
        : Bar.none(summary.system(), "failed", BarTone.FAILED);
  }

  private static boolean isBase(ReportRun run, Summary summary) {
    return summary.system().equals(run.baseline());
  }

  private static BarTone tone(ReportRun run, Summary summary, boolean isBest) {
    if (summary.counts().runsFailed() > 0) {
      return BarTone.FAILED;
    }
    return isBest ? BarTone.BEST : isBase(run, summary) ? BarTone.BASE : BarTone.PLAIN;
  }

  /** Makes the chart of the phases of the commits. */
  static StackedChart phases(ReportRun run, String id) {
    List<Layer> parts = new ArrayList<>();
    for (String phase : SummaryTables.phaseNames(run.summaries())) {
      List<@Nullable Double> values = new ArrayList<>();
      run.summaries().forEach(summary -> values.add(summary.phases().byName().get(phase)));
      parts.add(new Layer(phase, COLORS.getOrDefault(phase, 9), values));
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

  /** Makes the chart of each system's shares of the machine's limits. */
  static BarChart ceilings(ReportRun run, Ceilings ceilings, String id) {
    String best = SummaryTables.best(run.summaries(), Summary::sqMedianS);
    List<Bar> bars = new ArrayList<>();
    for (CeilingShare share : ceilings.systems()) {
      String system = share.system();
      Double largest = nearest(share);
      bars.add(
          largest == null
              ? Bar.none(system, "not known", BarTone.FAILED)
              : Bar.of(
                  system,
                  100 * largest,
                  "%s  %s"
                      .formatted(percent(largest), Objects.requireNonNullElse(share.binds(), "")),
                  system.equals(best)
                      ? BarTone.BEST
                      : system.equals(run.baseline()) ? BarTone.BASE : BarTone.PLAIN));
    }
    return new BarChart(
        id,
        "Largest share of a ceiling",
        "100 % is the machine's limit, measured separately in the same hour. waiting: no share is"
            + " above a half, because the ends wait for each other.",
        Axis.of("of the ceiling", Unit.PERCENT),
        bars);
  }

  /** Returns the largest share; null if none was measured. */
  static @Nullable Double nearest(CeilingShare share) {
    return Stream.of(share.wire(), share.processor(), share.codec(), share.copy())
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  static String seconds(double value) {
    return Math.abs(value) < 0.0995
        ? Format.DIGITS.text(1e3 * value) + " ms"
        : Format.DIGITS.text(value) + " s";
  }

  /** Returns a factor, such as {@code 6.0×}. */
  static String times(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f×" : "%.1f×", value);
  }

  private static String times(Speedup speedup) {
    Double low = speedup.low();
    Double high = speedup.high();
    return speedup.times() == null
        ? ""
        : times(speedup.times())
            + (low == null || high == null ? "" : format(" (%.2f to %.2f)", low, high));
  }

  static String percent(double share) {
    return Format.SHARE.text(share) + " %";
  }
}
