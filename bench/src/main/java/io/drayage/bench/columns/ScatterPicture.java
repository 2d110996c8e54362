package io.drayage.bench.columns;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Ratio against speed of all codecs, as SVG: writing on the left, reading on the right, both axes
 * logarithmic. A small dot is a column, a large one the geometric mean of a codec; a line joins the
 * codecs that no other beats in both (the Pareto front).
 */
public final class ScatterPicture {
  private static final int WIDTH = 1_000;
  private static final int HEIGHT = 480;
  private static final int TOP = 40;
  private static final int BOTTOM = 410;
  private static final int PANEL_WIDTH = 420;
  private static final int LEFT = 60;
  private static final int RIGHT = 560;

  /** Fewer columns' dots lie outside than each of these shares. */
  private static final double OUTSIDE = 0.01;

  private static final double[] STEPS = {1, 2, 5};

  /** One for each codec, in their order; told apart with any kind of colour vision. */
  private static final List<String> COLOURS =
      List.of("#56b4e9", "#0072b2", "#332288", "#999999", "#e69f00", "#d55e00", "#882255");

  private final StringBuilder svg = new StringBuilder();
  private final List<ColumnRow> rows;
  private final List<Total> means;

  private ScatterPicture(List<ColumnRow> rows) {
    this.rows = rows;
    this.means =
        Total.of(rows).stream().filter(total -> total.columns().equals(Total.ALL)).toList();
  }

  /** The picture of at least one column. */
  public static String of(List<ColumnRow> rows) {
    return new ScatterPicture(rows).draw();
  }

  /**
   * Those of {@code points} that no other is at least as good as in both figures and better in one,
   * the fastest first.
   */
  static List<Total> front(
      List<Total> points, ToDoubleFunction<Total> speed, ToDoubleFunction<Total> ratio) {
    List<Total> front = new ArrayList<>();
    points.stream()
        .sorted(Comparator.comparingDouble(speed).thenComparingDouble(ratio).reversed())
        .forEach(
            point -> {
              boolean better =
                  front.isEmpty()
                      || ratio.applyAsDouble(point)
                          > ratio.applyAsDouble(front.get(front.size() - 1));
              if (better) {
                front.add(point);
              }
            });
    return front;
  }

  private String draw() {
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
            + " font-size='12'>",
        WIDTH, HEIGHT);
    add("<rect width='%d' height='%d' fill='white'/>", WIDTH, HEIGHT);
    Scale ratio = Scale.of(rows, ColumnRow::ratio, BOTTOM, TOP);
    panel("encode", LEFT, ratio, ColumnRow::encodeMBps, Total::encodeMBps);
    panel("decode", RIGHT, ratio, ColumnRow::decodeMBps, Total::decodeMBps);
    for (int i = 0; i < means.size(); i++) {
      double x = LEFT + (double) i * (WIDTH - LEFT) / means.size();
      circle(x, HEIGHT - 16.0, 5, colour(means.get(i).codec()), 1, "");
      text(x + 10, HEIGHT - 12.0, "start", means.get(i).codec());
    }
    add("</svg>");
    return svg.toString();
  }

  private void panel(
      String title,
      int left,
      Scale ratio,
      ToDoubleFunction<ColumnRow> speed,
      ToDoubleFunction<Total> meanSpeed) {
    int right = left + PANEL_WIDTH;
    Scale x = Scale.of(rows, speed, left, right);
    add(
        "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#888'/>",
        left, TOP, PANEL_WIDTH, BOTTOM - TOP);
    text(
        left + PANEL_WIDTH / 2.0,
        TOP - 14.0,
        "middle",
        "ratio against MB/s, %s, of %,d columns".formatted(title, means.get(0).count()));
    for (double tick : x.ticks()) {
      line(x.at(tick), TOP, x.at(tick), BOTTOM);
      text(x.at(tick), BOTTOM + 16.0, "middle", number(tick));
    }
    for (double tick : ratio.ticks()) {
      line(left, ratio.at(tick), right, ratio.at(tick));
      text(left - 6.0, ratio.at(tick) + 4, "end", number(tick));
    }
    for (ColumnRow row : rows) {
      circle(
          x.at(speed.applyAsDouble(row)),
          ratio.at(row.ratio()),
          2,
          colour(row.codec()),
          0.35,
          "%s of %s: %.2f, %.0f MB/s"
              .formatted(row.codec(), row.column(), row.ratio(), speed.applyAsDouble(row)));
    }
    StringBuilder front = new StringBuilder();
    for (Total mean : front(means, meanSpeed, Total::ratio)) {
      front.append(point(x.at(meanSpeed.applyAsDouble(mean)), ratio.at(mean.ratio())));
    }
    add("<polyline points='%s' fill='none' stroke='black'/>", front.toString().strip());
    for (Total mean : means) {
      double speedOfMean = meanSpeed.applyAsDouble(mean);
      circle(
          x.at(speedOfMean),
          ratio.at(mean.ratio()),
          6,
          colour(mean.codec()),
          1,
          "%s: %.2f, %.0f MB/s".formatted(mean.codec(), mean.ratio(), speedOfMean));
    }
  }

  private static String colour(String codec) {
    return COLOURS.get(Candidate.NAMES.indexOf(codec) % COLOURS.size());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.1f" : "%,.0f", value);
  }

  private static String point(double x, double y) {
    return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
  }

  private void line(double x1, double y1, double x2, double y2) {
    add("<path d='M%sL%s' stroke='#ddd'/>", point(x1, y1).strip(), point(x2, y2).strip());
  }

  private void circle(double x, double y, int radius, String colour, double opacity, String title) {
    add(
        "<circle cx='%.1f' cy='%.1f' r='%d' fill='%s' fill-opacity='%.2f'><title>%s</title></circle>",
        x, y, radius, colour, opacity, escaped(title));
  }

  private void text(double x, double y, String anchor, String text) {
    add("<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", x, y, anchor, escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** A logarithmic axis; what lies outside is drawn at its end. */
  private record Scale(double low, double high, double from, double to) {
    static Scale of(
        List<ColumnRow> rows, ToDoubleFunction<ColumnRow> figure, double from, double to) {
      double[] sorted = rows.stream().mapToDouble(figure).sorted().toArray();
      int cut = (int) (sorted.length * OUTSIDE);
      return new Scale(sorted[cut] / 1.1, sorted[sorted.length - 1 - cut] * 1.1, from, to);
    }

    double at(double value) {
      double share = Math.log(value / low) / Math.log(high / low);
      return from + Math.max(0, Math.min(1, share)) * (to - from);
    }

    List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      for (double power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10) {
        for (double step : STEPS) {
          double tick = power * step;
          if (tick >= low && tick <= high) {
            ticks.add(tick);
          }
        }
      }
      return ticks;
    }
  }
}
