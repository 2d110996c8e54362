package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One horizontal bar a row, made of parts, with their sum at its end. Immutable.
 *
 * @param axis of the values, from zero
 * @param rows the names from top to bottom
 * @param parts from left to right
 */
@JsonTypeName("stacked")
public record StackedChart(
    String id, String title, String note, Axis axis, List<String> rows, List<Layer> parts)
    implements Chart {
  public StackedChart {
    rows = List.copyOf(rows);
    parts = List.copyOf(parts);
  }

  /**
   * One part of every row.
   *
   * @param color one of the page's colours, 0 to 9; the same part has the same colour in every
   *     chart
   * @param values one a row; null where a row has no such part
   */
  public record Layer(String name, int color, List<@Nullable Double> values) {
    public Layer {
      values = Collections.unmodifiableList(new ArrayList<>(values));
    }
  }
}
