package io.drayage.bench.columns;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.page.Axis;
import io.drayage.bench.page.LineChart;
import io.drayage.bench.page.LineChart.LineTone;
import io.drayage.bench.page.LineChart.Point;
import io.drayage.bench.page.LineChart.Series;
import io.drayage.bench.page.Page;
import io.drayage.bench.page.Section;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A page with ratio against speed of all codecs: numbers and texts, writing and reading. A large
 * dot is the geometric mean of a codec, with the columns as small dots. A line joins the codecs
 * that no other exceeds in both figures (the Pareto front).
 */
public final class ColumnsPage {
  private static final String NOTE =
      "Small: a column. Large: the geometric mean of a codec. Line: codecs that no other exceeds in"
          + " both (Pareto front), among those that accept all columns.";

  private final List<ColumnRow> rows;
  private final List<Total> totals;
  private final Page page = new Page("Columns");

  private ColumnsPage(List<ColumnRow> rows) {
    this.rows = rows;
    this.totals = Total.of(rows);
  }

  /**
   * Makes the page of at least one column.
   *
   * @param cargo the measured cargo, in a line
   */
  public static Page of(List<ColumnRow> rows, String cargo) {
    ColumnsPage made = new ColumnsPage(rows);
    made.page.subtitle(cargo);
    made.addCharts(Total.NUMBERS, ColumnRow::isNumber);
    made.addCharts(ColumnRow.TEXT, row -> row.type().equals(ColumnRow.TEXT));
    if (made.page.chartIds().isEmpty()) {
      made.addCharts(Total.ALL, row -> true);
    }
    return made.page;
  }

  private void addCharts(String kind, Predicate<ColumnRow> members) {
    List<ColumnRow> columns = rows.stream().filter(members).toList();
    if (!columns.isEmpty()) {
      Section section = page.section(kind);
      section.chart(chart(kind, "encode", columns, ColumnRow::encodeMBps, Total::encodeMBps));
      section.chart(chart(kind, "decode", columns, ColumnRow::decodeMBps, Total::decodeMBps));
    }
  }

  private LineChart chart(
      String kind,
      String direction,
      List<ColumnRow> columns,
      ToDoubleFunction<ColumnRow> speed,
      ToDoubleFunction<Total> meanSpeed) {
    List<Total> means =
        totals.stream()
            .filter(total -> total.columns().equals(kind))
            .sorted(Comparator.comparingInt(total -> Codecs.place(total.codec())))
            .toList();
    int count = means.stream().mapToInt(Total::count).max().orElse(0);
    List<Series> series = new ArrayList<>();
    for (Total mean : means) {
      String of = mean.count() == count ? "" : format(" (%,d columns)", mean.count());
      Point point = point(meanSpeed.applyAsDouble(mean), mean.ratio());
      series.add(new Series(mean.codec() + of, LineTone.OWN, true, List.of(point)));
      columns.stream()
          .filter(row -> row.codec().equals(mean.codec()))
          .map(row -> dot(row, speed.applyAsDouble(row)))
          .forEach(series::add);
    }
    List<Total> whole = means.stream().filter(mean -> mean.count() == count).toList();
    List<Point> front =
        front(whole, meanSpeed, Total::ratio).stream()
            .map(mean -> point(meanSpeed.applyAsDouble(mean), mean.ratio()))
            .toList();
    series.add(new Series("Pareto front", LineTone.MAIN, true, front));
    return new LineChart(
        "%s-%s".formatted(kind, direction),
        format("Ratio against speed, %s, %s (%,d columns)", direction, kind, count),
        NOTE,
        Axis.logarithmic("raw bytes a second", Axis.Unit.BYTES_PER_SECOND),
        Axis.logarithmic("raw bytes per byte", Axis.Unit.RATIO),
        series);
  }

  private static Series dot(ColumnRow row, double megabytesPerSecond) {
    return new Series(
        "%s of %s".formatted(row.codec(), row.column()),
        LineTone.DOT,
        false,
        List.of(point(megabytesPerSecond, row.ratio())));
  }

  private static Point point(double megabytesPerSecond, double ratio) {
    return new Point(1e6 * megabytesPerSecond, ratio, null, null);
  }

  /**
   * Returns the Pareto front of {@code points}, the fastest first: no other point is at least as
   * good in both figures and better in one.
   */
  static List<Total> front(
      List<Total> points, ToDoubleFunction<Total> speed, ToDoubleFunction<Total> ratio) {
    List<Total> front = new ArrayList<>();
    points.stream()
        .sorted(Comparator.comparingDouble(speed).thenComparingDouble(ratio).reversed())
        .filter(
            point ->
                front.isEmpty()
                    || ratio.applyAsDouble(point)
                        > ratio.applyAsDouble(front.get(front.size() - 1)))
        .forEach(front::add);
    return front;
  }
}
