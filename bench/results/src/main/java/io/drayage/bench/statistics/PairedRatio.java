package io.drayage.bench.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of the times of two systems that ran alternately, turn by turn.
 *
 * @param estimate numerator over denominator
 * @param interval of the estimate; null with fewer than {@link Interval#MIN_TURNS} turns
 * @param turns number of turns of the estimate
 * @param leftOut number of turns that were left out because the machine was disturbed
 */
public record PairedRatio(double estimate, @Nullable Interval interval, int turns, int leftOut) {
  /** The largest distance of a narrow interval's ends from its estimate, relative to it. */
  public static final double NARROW = 0.07;

  /**
   * One turn of one system that succeeded.
   *
   * @param seconds its time
   * @param disturbed whether others kept the machine busy meanwhile
   */
  public record Turn(double seconds, boolean disturbed) {}

  /**
   * Returns the ratio over the common turns. Disturbed turns are left out if at least {@link
   * Interval#MIN_TURNS} others remain. Null without a common turn.
   *
   * @param numerators by the key of the turn
   * @param denominators by the key of the turn
   */
  public static <K> @Nullable PairedRatio of(Map<K, Turn> numerators, Map<K, Turn> denominators) {
    List<K> common = numerators.keySet().stream().filter(denominators::containsKey).toList();
    List<K> quiet =
        common.stream()
            .filter(key -> !numerators.get(key).disturbed && !denominators.get(key).disturbed)
            .toList();
    List<K> counted = quiet.size() >= Interval.MIN_TURNS ? quiet : common;
    if (counted.isEmpty()) {
      return null;
    }
    List<Double> above = new ArrayList<>();
    List<Double> below = new ArrayList<>();
    for (K key : counted) {
      above.add(numerators.get(key).seconds);
      below.add(denominators.get(key).seconds);
    }
    int leftOut = common.size() - counted.size();
    if (counted.size() < Interval.MIN_TURNS) {
      double estimate = Medians.of(Medians.array(above)) / Medians.of(Medians.array(below));
      return new PairedRatio(estimate, null, counted.size(), leftOut);
    }
    Interval interval = Interval.ofPairedRatio(above, below);
    return new PairedRatio(interval.estimate(), interval, counted.size(), leftOut);
  }

  /** Whether more turns would change little. */
  public boolean isSettled() {
    return interval != null
        && interval.high() <= estimate * (1 + NARROW)
        && interval.low() >= estimate * (1 - NARROW);
  }
}
