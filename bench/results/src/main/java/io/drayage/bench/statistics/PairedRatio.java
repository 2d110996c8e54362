package io.drayage.bench.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the times of two systems that took turns relate, turn by turn.
 *
 * @param estimate numerator over denominator
 * @param interval of the estimate; null with fewer than {@link Interval#MIN_TURNS} turns
 * @param turns how many turns it is taken from
 * @param leftOut how many more there were, left out since the machine was disturbed
 */
public record PairedRatio(double estimate, @Nullable Interval interval, int turns, int leftOut) {
  /** An interval is narrow enough if it reaches no farther than this from its estimate. */
  public static final double NARROW = 0.07;

  /**
   * One turn of one system that went well.
   *
   * @param seconds what it took
   * @param disturbed whether others kept the machine busy meanwhile
   */
  public record Turn(double seconds, boolean disturbed) {}

  /**
   * The ratio over the turns that both have. Disturbed turns are left out if at least {@link
   * Interval#MIN_TURNS} others remain. Null without a common turn.
   *
   * @param numerators by what tells turns apart
   * @param denominators likewise
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

  /** Whether more turns would tell little more. */
  public boolean isSettled() {
    return interval != null
        && interval.high() <= estimate * (1 + NARROW)
        && interval.low() >= estimate * (1 - NARROW);
  }
}
