package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines over a value. Immutable.
 *
 * @param series what is drawn; the lines of others below our own
 */
@JsonTypeName("lines")
public record LineChart(String id, String title, String note, Axis x, Axis y, List<Series> series)
    implements Chart {
  public LineChart {
    series = List.copyOf(series);
  }

  /** How a line is to be seen. */
  public enum LineTone {
    /** Measured here: a colour and markers of its own. */
    OWN,
    /** The most important of those of others: dashed. */
    MAIN,
    /** The other ones: dashed and faint. */
    BACKGROUND
  }

  /**
   * One line.
   *
   * @param legend whether it stands in the legend; those after one that does, and do not
   *     themselves, come and go with it
   * @param points from left to right
   */
  public record Series(String name, LineTone tone, boolean legend, List<Point> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /**
   * One point.
   *
   * @param min the lower end of the spread of {@code y}; null without one
   * @param max its upper end
   */
  public record Point(double x, double y, @Nullable Double min, @Nullable Double max) {}
}
