package io.drayage.bench.tune;

import io.drayage.bench.result.Medians;
import java.util.List;
import java.util.Objects;

/**
 * A median, and the interval that holds the true one with 95 % confidence, whatever the
 * distribution: between two of the values, by the binomial distribution. With fewer than six values
 * there is none, so all of them stand for it.
 */
record Spread(double median, double low, double high) {
  private static final double TAIL = 0.025;

  /** Of at least one value. */
  static Spread of(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int cut = cut(sorted.size());
    return new Spread(
        Objects.requireNonNull(Medians.of(sorted)),
        sorted.get(cut),
        sorted.get(sorted.size() - 1 - cut));
  }

  /** How many values may be left out at either end. */
  private static int cut(int count) {
    double probability = Math.pow(0.5, count);
    double tail = probability;
    int cut = 0;
    while (tail + probability * (count - cut) / (cut + 1) <= TAIL) {
      probability *= (double) (count - cut) / (cut + 1);
      tail += probability;
      cut++;
    }
    return cut;
  }

  /** Whether the two cannot be told apart. */
  boolean overlaps(Spread other) {
    return low <= other.high && other.low <= high;
  }
}
