package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One horizontal bar per row, with its range and every single value. Immutable.
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

  /** The emphasis of a bar. */
  public enum BarTone {
    BEST,
    /** The base that the others are compared with. */
    BASE,
    PLAIN,
    /** A bar without a result. */
    FAILED
  }

  /**
   * One bar.
   *
   * @param value null without a result
   * @param min the lower end of the range; null without one
   * @param max the upper end
   * @param points the single values
   * @param label at the end of the bar; text after two spaces is shown faintly
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

    /** Makes a bar without a range. */
    public static Bar of(String name, double value, String label, BarTone tone) {
      return new Bar(name, value, null, null, List.of(), label, tone);
    }

    /** Makes a row without a value. */
    public static Bar none(String name, String label, BarTone tone) {
      return new Bar(name, null, null, null, List.of(), label, tone);
    }

    /** Adds the single values and their range; {@code values} are ascending. */
    public Bar over(List<Double> values) {
      return values.isEmpty()
          ? this
          : new Bar(name, value, values.get(0), values.get(values.size() - 1), values, label, tone);
    }
  }
}
