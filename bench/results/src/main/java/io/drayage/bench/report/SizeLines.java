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
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Charts of runtime over input size for runs over one link, with both axes logarithmic as in the
 * study's figures, which are drawn as well.
 */
final class SizeLines {
  private static final String FILE = "throughput.csv";
  private static final List<String> SIZES = List.of("100MB", "1GB", "10GB");
  private static final String STUDYS_BEST_KNOWN = "java";
  private static final String UNCOMPRESSED = "none";

  private SizeLines() {}

  /**
   * Makes the charts of S+Q and of commits.
   *
   * @param systems all of the page, so that each has one colour
   */
  static List<LineChart> of(List<ReportRun> runs, List<String> systems, String suffix) {
    boolean whole = runs.stream().allMatch(run -> run.extent().equals("whole"));
    String commitNote =
        whole
            ? ""
            : " The study's commits are whole, ours end when the cargo took effect in memory.";
    return List.of(
        chart(
            runs,
            "size-sq" + suffix,
            "S+Q",
            lines(runs, systems, Run::sqS, "serialize_and_drain_s"),
            " The study's S+Q ends when the last chunk is sent, ours when the transactor has"
                + " received the cargo."),
        chart(
            runs,
            "size-commit" + suffix,
            "Commit",
            lines(runs, systems, Run::commitS, "commit_s"),
            commitNote));
  }

  private static LineChart chart(
      List<ReportRun> runs, String id, String what, List<Series> series, String note) {
    return new LineChart(
        id,
        what + " over input size, " + runs.get(0).link(),
        (isComparable(runs)
                ? "Dashed: the study's 20 combinations over gRPC and 1 Gbit/s, on its machine, as"
                    + " published."
                : "The study's figures are of another cargo, so they are not shown.")
            + note,
        Axis.logarithmic("raw bytes of the cargo", Unit.BYTES),
        Axis.logarithmic(what, Unit.SECONDS),
        series);
  }

  private static boolean isComparable(List<ReportRun> runs) {
    return runs.stream().allMatch(ReportRun::isStudysCargo);
  }

  private static List<Series> lines(
      List<ReportRun> runs,
      List<String> systems,
      Function<Run, @Nullable Double> value,
      String column) {
    List<Series> series = new ArrayList<>();
    for (String system : systems) {
      List<Point> points = points(runs, system, value);
      series.add(new Series(system, LineTone.OWN, !points.isEmpty(), points));
    }
    if (isComparable(runs)) {
      series.addAll(published(column));
    }
    return series;
  }

  /** Makes the points of a line. Runs of one size become one point. */
  private static List<Point> points(
      List<ReportRun> runs, String system, Function<Run, @Nullable Double> value) {
    Map<Long, List<Run>> bySize =
        runs.stream()
            .flatMap(run -> run.countedRuns(system).stream())
            .filter(run -> value.apply(run) != null && run.rawBytes() != null)
            .collect(
                Collectors.groupingBy(
                    run -> Objects.requireNonNull(run.rawBytes()),
                    TreeMap::new,
                    Collectors.toList()));
    List<Point> points = new ArrayList<>();
    bySize.forEach(
        (bytes, sameSize) -> {
          DoubleSummaryStatistics range =
              sameSize.stream()
                  .mapToDouble(run -> Objects.requireNonNull(value.apply(run)))
                  .summaryStatistics();
          double median = Objects.requireNonNull(Medians.of(sameSize, value));
          points.add(new Point(bytes, median, range.getMin(), range.getMax()));
        });
    return points;
  }

  /** Makes the published lines: Java serialization is emphasized, all others are faint. */
  private static List<Series> published(String column) {
    PublishedFigures figures = PublishedFigures.of(FILE, column);
    List<Series> series = new ArrayList<>();
    for (String serializer : PublishedFigures.SERIALIZERS) {
      for (String compressor : PublishedFigures.COMPRESSORS) {
        boolean isMain = serializer.equals(STUDYS_BEST_KNOWN) && compressor.equals(UNCOMPRESSED);
        boolean isSecond = series.size() == 1;
        String name =
            isSecond ? "study: its 19 others" : "study: %s+%s".formatted(serializer, compressor);
        series.add(
            new Series(
                name,
                isMain ? LineTone.MAIN : LineTone.BACKGROUND,
                isMain || isSecond,
                publishedPoints(figures, serializer, compressor)));
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
        points.add(new Point(megabytes * 1e6, seconds, null, null));
      }
    }
    return points;
  }
}
