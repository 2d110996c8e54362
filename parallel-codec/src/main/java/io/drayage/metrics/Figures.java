package io.drayage.metrics;

import java.util.EnumMap;
import java.util.Map;

/**
 * How the {@link Counters} of a group stood at a moment, or with {@link #minus} what happened
 * between two.
 *
 * @param values of the metrics of the group
 */
public record Figures(Map<Metric, Long> values) {
  public Figures {
    values = Map.copyOf(values);
  }

  /** The value of a metric; 0 if it is not of this group. */
  public long get(Metric metric) {
    return values.getOrDefault(metric, 0L);
  }

  /** What happened since {@code earlier}; levels as they are now. */
  public Figures minus(Figures earlier) {
    Map<Metric, Long> since = new EnumMap<>(Metric.class);
    values.forEach(
        (metric, value) ->
            since.put(metric, metric.isLevel() ? value : value - earlier.get(metric)));
    return new Figures(since);
  }
}
