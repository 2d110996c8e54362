package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.drayage.bench.table.Tone;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A measure over runs in the order of time, with its changes. Immutable.
 *
 * @param axis of the values; the chart shows only their range, so that small changes are visible
 * @param runs from left to right
 * @param levels of all runs, from left to right
 */
@JsonTypeName("trend")
public record TrendChart(
    String id, String title, String note, Axis axis, List<Run> runs, List<Level> levels)
    implements Chart {
  public TrendChart {
    runs = List.copyOf(runs);
    levels = List.copyOf(levels);
  }

  /**
   * One run.
   *
   * @param name short, for the axis
   * @param detail shown with the value
   * @param value its median; null without one
   * @param points its single values
   */
  public record Run(String name, String detail, @Nullable Double value, List<Double> points) {
    public Run {
      points = List.copyOf(points);
    }
  }

  /**
   * Runs without a change between them.
   *
   * @param from the index of the first run
   * @param to the index of the last run
   * @param value of the level
   * @param change from the level before it, in words; empty for the first
   * @param tone of the change
   */
  public record Level(int from, int to, double value, String change, Tone tone) {}
}
