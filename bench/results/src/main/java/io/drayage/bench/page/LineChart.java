package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines over a value. Immutable.
 *
 * @param series published lines are drawn below our own
 */
@JsonTypeName("lines")
public record LineChart(String id, String title, String note, Axis x, Axis y, List<Series> series)
    implements Chart {
  public LineChart {
    series = List.copyOf(series);
  }

  /** The emphasis of a line. */
  public enum LineTone {
    /** Measured here: solid, with markers. */
    OWN,
    /** The most important published line: dashed. */
    MAIN,
    /** Other published lines: dashed and faint. */
    BACKGROUND,
    /** A small dot in the colour of the own line before it, without an entry in the legend. */
    DOT
  }

  /**
   * One line.
   *
   * @param legend whether it has an entry in the legend; lines without one are shown and hidden
   *     with the entry before them
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
