package io.drayage.bench.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The median: the middle value, or the mean of the two in the middle. */
public final class Medians {
  private Medians() {}

  /** The median of {@code values}; null if there are none. */
  public static @Nullable Double of(List<Double> values) {
    if (values.isEmpty()) {
      return null;
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (Double) ((sorted.get(middle - 1) + sorted.get(middle)) / 2);
  }
}
