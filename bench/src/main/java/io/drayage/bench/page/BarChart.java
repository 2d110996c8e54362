package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One horizontal bar a row, with the spread and every single value. Immutable.
 *
 * @param axis of the values, from zero
 * @param bars from top to bottom
 */
@JsonTypeName("bars")
public record BarChart(String id, String title, String note, Axis axis, List<Bar> bars)
    implements Chart {
  public BarChart {
    bars = List.copyOf(bars);
  }

  /** A chart without bars. */
  public static BarChart of(String id, String title, Axis axis) {
    return new BarChart(id, title, "", axis, List.of());
  }

  /** The same with a note. */
  public BarChart note(String text) {
    return new BarChart(id, title, text, axis, bars);
  }

  /** The same with one more bar at the bottom. */
  public BarChart bar(Bar bar) {
    List<Bar> more = new ArrayList<>(bars);
    more.add(bar);
    return new BarChart(id, title, note, axis, more);
  }

  /** How a bar is to be seen. */
  public enum BarTone {
    /** The one to look at. */
    BEST,
    /** The one that the others are compared with. */
    BASE,
    PLAIN,
    /** Without a result. */
    FAILED
  }

  /**
   * One bar.
   *
   * @param value null if there is none
   * @param min the lower end of the spread; null without one
   * @param max its upper end
   * @param points the single values
   * @param label at its end; what follows two spaces is shown faintly
   */
  public record Bar(
      String name,
      @Nullable Double value,
      @Nullable Double min,
      @Nullable Double max,
      List<Double> points,
      String label,
      BarTone tone) {
    public Bar {
      points = List.copyOf(points);
    }

    /** A plain bar without a spread. */
    public static Bar of(String name, double value, String label) {
      return new Bar(name, value, null, null, List.of(), label, BarTone.PLAIN);
    }

    /** The place of a bar that has no value, and why. */
    public static Bar failed(String name, String label) {
      return new Bar(name, null, null, null, List.of(), label, BarTone.FAILED);
    }

    /** The place of a bar that was not measured. */
    public static Bar missing(String name) {
      return new Bar(name, null, null, null, List.of(), "not measured", BarTone.PLAIN);
    }

    /** The same with a spread. */
    public Bar spread(double lowest, double highest) {
      return new Bar(name, value, lowest, highest, points, label, tone);
    }

    /** The same with its single values. */
    public Bar points(List<Double> values) {
      return new Bar(name, value, min, max, values, label, tone);
    }

    /** The same, to be seen otherwise. */
    public Bar tone(BarTone other) {
      return new Bar(name, value, min, max, points, label, other);
    }
  }
}
