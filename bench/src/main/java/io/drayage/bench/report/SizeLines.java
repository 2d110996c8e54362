package io.drayage.bench.report;

import io.drayage.bench.ByteSize;
import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.LineChart;
import io.drayage.bench.page.LineChart.LineTone;
import io.drayage.bench.page.LineChart.Point;
import io.drayage.bench.page.LineChart.Series;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.Run;
import io.drayage.bench.statistics.Medians;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runtime over input size, both axes logarithmic, as in the study's figures and beside them. */
final class SizeLines {
  private static final String FILE = "throughput.csv";
  private static final List<String> SIZES = List.of("100MB", "1GB", "10GB");
  private static final String STUDYS_BEST_KNOWN = "java";
  private static final String UNCOMPRESSED = "none";
  private static final double MEGA = 1e6;

  private SizeLines() {}

  /**
   * S+Q of some runs over one link.
   *
   * @param systems all of the page, so that each has one colour
   */
  static LineChart sq(List<ReportRun> runs, List<String> systems, String id) {
    return chart(
        runs,
        systems,
        id,
        "S+Q over input size, " + runs.get(0).link(),
        "S+Q",
        "serialize_and_drain_s",
        Run::sqS,
        " The study's S+Q ends when the last chunk is sent, ours when the transactor holds the cargo.");
  }

  /** The commits of some runs over one link. */
  static LineChart commit(List<ReportRun> runs, List<String> systems, String id) {
    String note =
        runs.stream().allMatch(run -> run.extent().equals("whole"))
            ? ""
            : " The study's commits are whole, ours end when the cargo took effect in memory.";
    String title = "Commit over input size, " + runs.get(0).link();
    return chart(runs, systems, id, title, "commit", "commit_s", Run::commitS, note);
  }

  private static LineChart chart(
      List<ReportRun> runs,
      List<String> systems,
      String id,
      String title,
      String yTitle,
      String column,
      Function<Run, @Nullable Double> value,
      String note) {
    List<Series> series = new ArrayList<>(own(runs, systems, value));
    boolean comparable = runs.stream().allMatch(ReportRun::isStudysCargo);
    if (comparable) {
      series.addAll(published(column));
    }
    return new LineChart(
        id,
        title,
        (comparable
                ? "Dashed: the study's 20 combinations over gRPC and 1 Gbit/s, on its machine, as published."
                : "The study's figures are of another cargo, so they are not shown.")
            + note,
        Axis.logarithmic("raw bytes of the cargo", Unit.BYTES),
        Axis.logarithmic(yTitle, Unit.SECONDS),
        series);
  }

  /** A line a system; runs of one size become one point. */
  private static List<Series> own(
      List<ReportRun> runs, List<String> systems, Function<Run, @Nullable Double> value) {
    Map<String, Map<Long, List<Double>>> bySystem = new LinkedHashMap<>();
    systems.forEach(system -> bySystem.put(system, new TreeMap<>()));
    for (ReportRun run : runs) {
      for (Run one : run.runs()) {
        Double seconds = value.apply(one);
        Long bytes = one.rawBytes();
        if (seconds != null && bytes != null && one.error() == null) {
          bySystem
              .computeIfAbsent(one.system(), system -> new TreeMap<>())
              .computeIfAbsent(bytes, size -> new ArrayList<>())
              .add(seconds);
        }
      }
    }
    return bySystem.entrySet().stream()
        .map(
            entry ->
                new Series(
                    entry.getKey(),
                    LineTone.OWN,
                    !entry.getValue().isEmpty(),
                    points(entry.getValue())))
        .toList();
  }

  private static List<Point> points(Map<Long, List<Double>> bySize) {
    List<Point> points = new ArrayList<>();
    bySize.forEach(
        (bytes, values) -> {
          List<Double> sorted = values.stream().sorted().toList();
          double median = Objects.requireNonNull(Medians.of(sorted));
          points.add(new Point(bytes, median, sorted.get(0), sorted.get(sorted.size() - 1)));
        });
    return points;
  }

  /** Java serialization alone, which the study starts from, and all others, faint. */
  private static List<Series> published(String column) {
    PublishedFigures figures = PublishedFigures.of(FILE, column);
    List<Series> series = new ArrayList<>();
    series.add(
        new Series(
            "study: java+none",
            LineTone.MAIN,
            true,
            publishedPoints(figures, STUDYS_BEST_KNOWN, UNCOMPRESSED)));
    boolean inLegend = true;
    for (String serializer : PublishedFigures.SERIALIZERS) {
      for (String compressor : PublishedFigures.COMPRESSORS) {
        if (serializer.equals(STUDYS_BEST_KNOWN) && compressor.equals(UNCOMPRESSED)) {
          continue;
        }
        String name =
            inLegend ? "study: its 19 others" : "study: %s+%s".formatted(serializer, compressor);
        series.add(
            new Series(
                name,
                LineTone.BACKGROUND,
                inLegend,
                publishedPoints(figures, serializer, compressor)));
        inLegend = false;
      }
    }
    return series;
  }

  private static List<Point> publishedPoints(
      PublishedFigures figures, String serializer, String compressor) {
    List<Point> points = new ArrayList<>();
    for (String size : SIZES) {
      long bytes = ByteSize.parse(size).bytes();
      Double seconds = figures.figure(bytes, serializer, compressor);
      Double megabytes = PublishedFigures.inputMegabytes(bytes);
      if (seconds != null && megabytes != null) {
        points.add(new Point(megabytes * MEGA, seconds, null, null));
      }
    }
    return points;
  }
}
