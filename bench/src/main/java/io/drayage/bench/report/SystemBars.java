package io.drayage.bench.report;

import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.BarChart;
import io.drayage.bench.page.BarChart.Bar;
import io.drayage.bench.page.BarChart.BarTone;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Summary;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One bar a system: the median, from the fastest to the slowest iteration, and each of them. */
final class SystemBars {
  private static final Axis SECONDS = Axis.of("seconds, less is better", Unit.SECONDS);
  private static final String SPREAD =
      "Median; the line reaches from the fastest to the slowest iteration, each is a dot.";

  private SystemBars() {}

  static BarChart sq(ReportRun run, String id) {
    return chart(
        run,
        BarChart.of(id, "S+Q, " + run.describe(), SECONDS)
            .note(
                SPREAD
                    + " From the start of serialization until the transactor holds the cargo, decoded and verified."),
        Run::sqS,
        Summary::sqMedianS,
        Summary::sqSpeedup);
  }

  static BarChart commit(ReportRun run, String id) {
    boolean whole = run.extent().equals("whole");
    String until =
        whole
            ? " From the request until the worker has loaded the published snapshot."
            : " From the request until the cargo took effect in the transactor's memory.";
    return chart(
        run,
        BarChart.of(id, "Commit, " + run.describe(), SECONDS).note(SPREAD + until),
        Run::commitS,
        Summary::commitMedianS,
        Summary::commitSpeedup);
  }

  private static BarChart chart(
      ReportRun run,
      BarChart empty,
      Function<Run, @Nullable Double> value,
      Function<Summary, @Nullable Double> median,
      Function<Summary, @Nullable Double> speedup) {
    String best = best(run.summaries(), median);
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
              : isBase ? "  baseline" : times == null ? "" : "  " + Shown.times(times);
      Bar bar =
          Bar.of(summary.system(), middle, Shown.seconds(middle) + remark)
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

  /** The system with the least median of those that went well; null if there is none. */
  static @Nullable String best(
      List<Summary> summaries, Function<Summary, @Nullable Double> median) {
    return summaries.stream()
        .filter(summary -> summary.runsFailed() == 0 && median.apply(summary) != null)
        .min(Comparator.comparing(summary -> Objects.requireNonNull(median.apply(summary))))
        .map(Summary::system)
        .orElse(null);
  }

  /** How many bytes a system sent, and what part of the raw ones that is. */
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
      if (bytes == null || ratio == null) {
        chart = chart.bar(without(summary));
      } else {
        boolean isBase = summary.system().equals(run.baseline());
        chart =
            chart.bar(
                Bar.of(
                        summary.system(),
                        bytes,
                        "%s MB  %s".formatted(Shown.megabytes(bytes), Shown.times(ratio)))
                    .tone(tone(true, bytes.equals(least), isBase)));
      }
    }
    return chart;
  }
}
