package io.drayage.metrics;

import java.util.EnumMap;
import java.util.Map;

/**
 * The values of one group's {@link Counters} at a moment, or their growth between two moments (see
 * {@link #minus}).
 *
 * @param values of the metrics of the group
 */
public record Figures(Map<Metric, Long> values) {
  public Figures {
    values = Map.copyOf(values);
  }

  /** Returns the value of a metric; 0 if it is not of this group. */
  public long get(Metric metric) {
    return values.getOrDefault(metric, 0L);
  }

  /** Returns the growth of the sums since {@code earlier}, and the present levels. */
  public Figures minus(Figures earlier) {
    Map<Metric, Long> since = new EnumMap<>(Metric.class);
    values.forEach(
        (metric, value) ->
            since.put(metric, metric.isLevel() ? value : value - earlier.get(metric)));
    return new Figures(since);
  }
}
