package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One dot for each row and series, with the spread, for values of different magnitude. Immutable.
 *
 * @param rows the names from top to bottom
 * @param series the dots of one colour each
 */
@JsonTypeName("dots")
public record DotChart(
    String id, String title, String note, Axis axis, List<String> rows, List<Series> series)
    implements Chart {
  public DotChart {
    rows = List.copyOf(rows);
    series = List.copyOf(series);
  }

  /**
   * The dots of one colour.
   *
   * @param values one a row
   */
  public record Series(String name, List<Dot> values) {
    public Series {
      values = List.copyOf(values);
    }
  }

  /**
   * One dot.
   *
   * @param value null where the series has none
   * @param min the lower end of the spread; null without one
   * @param max its upper end
   */
  public record Dot(@Nullable Double value, @Nullable Double min, @Nullable Double max) {
    /** The dot of a series without a value. */
    public static final Dot NONE = new Dot(null, null, null);
  }
}
