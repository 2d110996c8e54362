package io.drayage.bench.page;

import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.page.BarChart.Bar;
import io.drayage.bench.page.BarChart.BarTone;
import io.drayage.bench.page.DotChart.Dot;
import io.drayage.bench.page.LineChart.LineTone;
import io.drayage.bench.page.LineChart.Point;
import io.drayage.bench.page.StackedChart.Layer;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableCell;
import io.drayage.bench.table.Tone;
import java.util.Arrays;
import java.util.List;

/** A page with one element of each kind. */
final class SamplePage {
  private SamplePage() {}

  /**
   * @param name used as each text
   */
  static Page of(String name) {
    Page page = new Page(name).subtitle(name).footer(name);
    page.verdict(name, Tone.GOOD).remark(name);
    page.section(name)
        .text(name)
        .chart(bars(name))
        .chart(stacked(name))
        .sideBySide(List.of(lines(name), dots(name)))
        .chart(trend(name));
    page.section("table").table(table(name)).preformatted(name, name);
    page.section("files").link("logs/1.log", name, name);
    page.section("more").folded(name, inner -> inner.text(name));
    return page;
  }

  private static BarChart bars(String name) {
    return new BarChart(
        "bars",
        name,
        name,
        Axis.of("s", Unit.SECONDS),
        List.of(
            Bar.of(name, 0.214, name, BarTone.BEST).over(List.of(0.2, 0.214, 0.3)),
            Bar.none("other", "failed", BarTone.FAILED)));
  }

  private static StackedChart stacked(String name) {
    return new StackedChart(
        "stacked",
        name,
        name,
        Axis.of("s", Unit.SECONDS),
        List.of(name, "other"),
        List.of(
            new Layer(name, 1, Arrays.asList(0.1, null)), new Layer("load", 8, List.of(0.2, 0.3))));
  }

  private static LineChart lines(String name) {
    return new LineChart(
        "lines",
        name,
        "",
        Axis.logarithmic("size", Unit.BYTES),
        Axis.logarithmic("S+Q", Unit.SECONDS),
        List.of(
            new LineChart.Series(name, LineTone.OWN, true, List.of(new Point(1e8, 0.1, 0.05, 0.2))),
            new LineChart.Series(
                "study",
                LineTone.MAIN,
                true,
                List.of(new Point(1e8, 3, null, null), new Point(1e9, 26, null, null)))));
  }

  private static DotChart dots(String name) {
    return new DotChart(
        "dots",
        name,
        "",
        Axis.logarithmic("S+Q", Unit.SECONDS),
        List.of(name, "other"),
        List.of(new DotChart.Series(name, List.of(new Dot(0.1, 0.05, 0.2), Dot.NONE))));
  }

  private static TrendChart trend(String name) {
    return new TrendChart(
        "trend",
        name,
        "",
        Axis.of("S+Q", Unit.SECONDS),
        List.of(
            new TrendChart.Run(name, name, 0.2, List.of(0.1, 0.3)),
            new TrendChart.Run("other", "", null, List.of()),
            new TrendChart.Run("third", "", 0.3, List.of(0.3))),
        List.of(
            new TrendChart.Level(0, 1, 0.2, "", Tone.PLAIN),
            new TrendChart.Level(2, 2, 0.3, name, Tone.BAD)));
  }

  private static Table table(String name) {
    return Table.of(name, List.of(name, "other"))
        .text(name, row -> row)
        .number("S+Q", Format.SECONDS, row -> row.equals(name) ? 0.214 : null)
        .cells("error", "", false, row -> TableCell.text(row).wrapped().tone(Tone.BAD).bar(0.5))
        .tone(row -> row.equals(name) ? Tone.GOOD : Tone.PLAIN)
        .note(name)
        .build();
  }
}
