package io.drayage.bench.columns;

import static io.drayage.internal.Texts.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Ratio against speed of all codecs, as SVG: writing on the left, reading on the right, numbers
 * above texts, axes logarithmic. A small dot is a column, a large one the geometric mean of a
 * codec, hollow if it has no place for some of the columns; a line joins the codecs of all columns
 * that no other beats in both (the Pareto front).
 */
public final class ScatterPicture {
  private static final int WIDTH = 1_000;
  private static final int ROW_HEIGHT = 420;
  private static final int FOOT = 30;
  private static final int TOP = 40;
  private static final int PANEL_HEIGHT = 350;
  private static final int PANEL_WIDTH = 420;
  private static final int LEFT = 60;
  private static final int RIGHT = 560;
  private static final double FAR = 26;
  private static final double TICK_WIDTH = 46;

  /** Told apart with any kind of colour vision. */
  private static final Map<String, String> COLOURS =
      Map.ofEntries(
          Map.entry("columnar-fast", "#56b4e9"),
          Map.entry("columnar-balanced", "#0072b2"),
          Map.entry("columnar-dense", "#332288"),
          Map.entry("lz4", "#777777"),
          Map.entry("zstd:1", "#e69f00"),
          Map.entry("zstd:3", "#d55e00"),
          Map.entry("zstd:9", "#882255"),
          Map.entry("parquet", "#44aa99"),
          Map.entry("parquet:zstd", "#117733"),
          Map.entry("pcodec:4", "#cc79a7"),
          Map.entry("pcodec:8", "#aa4499"),
          Map.entry("vortex", "#000000"));

  private final StringBuilder svg = new StringBuilder();
  private final List<ColumnRow> rows;
  private final List<Total> totals;

  private ScatterPicture(List<ColumnRow> rows) {
    this.rows = rows;
    this.totals = Total.of(rows);
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

  /** Some columns, their codecs' means, and where they are drawn. */
  private record Group(String name, List<ColumnRow> rows, List<Total> means, int top) {
    int bottom() {
      return top + PANEL_HEIGHT;
    }

    int columns() {
      return means.stream().mapToInt(Total::count).max().orElse(0);
    }

    boolean isWhole(Total mean) {
      return mean.count() == columns();
    }
  }

  private String draw() {
    List<Group> groups = new ArrayList<>();
    add(groups, Total.NUMBERS, rows.stream().filter(ColumnRow::isNumber));
    add(groups, ColumnRow.TEXT, rows.stream().filter(row -> row.type().equals(ColumnRow.TEXT)));
    if (groups.isEmpty()) {
      add(groups, Total.ALL, rows.stream());
    }
    int height = groups.size() * ROW_HEIGHT + FOOT;
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
            + " font-size='12'>",
        WIDTH, height);
    add("<rect width='%d' height='%d' fill='white'/>", WIDTH, height);
    for (Group group : groups) {
      Scale ratio = Scale.of(group.rows, ColumnRow::ratio, group.bottom(), group.top);
      panel(group, "encode", LEFT, ratio, ColumnRow::encodeMBps, Total::encodeMBps);
      panel(group, "decode", RIGHT, ratio, ColumnRow::decodeMBps, Total::decodeMBps);
    }
    text(
        LEFT,
        height - 12.0,
        "start",
        "small: a column. large: the geometric mean of a codec, hollow if it has no place for some"
            + " columns. line: what no other beats in both (Pareto front).");
    add("</svg>");
    return svg.toString();
  }

  private void add(List<Group> groups, String name, Stream<ColumnRow> of) {
    List<ColumnRow> members = of.toList();
    if (!members.isEmpty()) {
      List<Total> means =
          totals.stream()
              .filter(total -> total.columns().equals(name))
              .sorted(Comparator.comparingInt(total -> Codecs.place(total.codec())))
              .toList();
      groups.add(new Group(name, members, means, TOP + groups.size() * ROW_HEIGHT));
    }
  }

  private void panel(
      Group group,
      String title,
      int left,
      Scale ratio,
      ToDoubleFunction<ColumnRow> speed,
      ToDoubleFunction<Total> meanSpeed) {
    int right = left + PANEL_WIDTH;
    Scale x = Scale.of(group.rows, speed, left, right);
    add(
        "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#888'/>",
        left, group.top, PANEL_WIDTH, PANEL_HEIGHT);
    text(
        left + PANEL_WIDTH / 2.0,
        group.top - 14.0,
        "middle",
        format("ratio against MB/s, %s, %s (%,d columns)", title, group.name, group.columns()));
    double free = left - TICK_WIDTH;
    for (double tick : x.ticks()) {
      line(x.at(tick), group.top, x.at(tick), group.bottom(), "#ddd");
      if (x.at(tick) >= free) {
        text(x.at(tick), group.bottom() + 16.0, "middle", number(tick));
        free = x.at(tick) + TICK_WIDTH;
      }
    }
    for (double tick : ratio.ticks()) {
      line(left, ratio.at(tick), right, ratio.at(tick), "#ddd");
      text(left - 6.0, ratio.at(tick) + 4, "end", number(tick));
    }
    for (ColumnRow row : group.rows) {
      add(
          "<circle cx='%.1f' cy='%.1f' r='2' fill='%s' fill-opacity='0.35'>%s</circle>",
          x.at(speed.applyAsDouble(row)),
          ratio.at(row.ratio()),
          colour(row.codec()),
          title(row.codec() + " of " + row.column(), row.ratio(), speed.applyAsDouble(row)));
    }
    StringBuilder front = new StringBuilder();
    for (Total mean :
        front(group.means.stream().filter(group::isWhole).toList(), meanSpeed, Total::ratio)) {
      front.append(point(x.at(meanSpeed.applyAsDouble(mean)), ratio.at(mean.ratio())));
    }
    add("<polyline points='%s' fill='none' stroke='black'/>", front.toString().strip());
    means(group, left, ratio, x, meanSpeed);
  }

  private void means(
      Group group, int left, Scale ratio, Scale x, ToDoubleFunction<Total> meanSpeed) {
    Labels labels =
        new Labels(
            new Labels.Box(left + 2, group.top + 2, left + PANEL_WIDTH - 2, group.bottom() - 2));
    for (Total mean : group.means) {
      double atX = x.at(meanSpeed.applyAsDouble(mean));
      labels.avoid(atX, ratio.at(mean.ratio()));
      add(
          "<circle cx='%.1f' cy='%.1f' r='6' fill='%s' stroke='%s' stroke-width='2'>%s</circle>",
          atX,
          ratio.at(mean.ratio()),
          group.isWhole(mean) ? colour(mean.codec()) : "white",
          colour(mean.codec()),
          title(mean.codec(), mean.ratio(), meanSpeed.applyAsDouble(mean)));
    }
    for (Total mean : group.means) {
      double atX = x.at(meanSpeed.applyAsDouble(mean));
      double atY = ratio.at(mean.ratio());
      Labels.Box box = labels.place(mean.codec(), atX, atY);
      double endX = Math.max(box.left(), Math.min(box.right(), atX));
      double endY = Math.max(box.top(), Math.min(box.bottom(), atY));
      if (Math.hypot(endX - atX, endY - atY) > FAR) {
        line(atX, atY, endX, endY, colour(mean.codec()));
      }
      add(
          "<text x='%.1f' y='%.1f' text-anchor='middle' font-weight='bold' fill='%s' stroke='white'"
              + " stroke-width='3' paint-order='stroke'>%s</text>",
          box.middle(), box.bottom() - 3, colour(mean.codec()), escaped(mean.codec()));
    }
  }

  private static String title(String of, double ratio, double speed) {
    return "<title>%s</title>".formatted(escaped(format("%s: %.2f, %.0f MB/s", of, ratio, speed)));
  }

  private static String colour(String codec) {
    return COLOURS.getOrDefault(codec, "#000000");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.1f" : "%,.0f", value);
  }

  private static String point(double x, double y) {
    return format("%.1f,%.1f ", x, y);
  }

  private void line(double x1, double y1, double x2, double y2, String colour) {
    add("<path d='M%sL%s' stroke='%s'/>", point(x1, y1).strip(), point(x2, y2).strip(), colour);
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
}
