package io.drayage.bench.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The places at which a series changes, by E-divisive means: the split of the series whose sides
 * have the largest energy distance, if hardly any random order of the values has such a split; then
 * the same within each side. A series without a change has a false one with a probability of at
 * most 0.6 %, whatever the distribution of its values. Equal series have equal results.
 *
 * <p>Source: D. S. Matteson and N. A. James, A nonparametric approach for multiple change point
 * analysis of multivariate data, Journal of the American Statistical Association 109 (2014), with
 * an alpha of 1. Each side is tested by itself: first for a change that lasts, which needs fewer
 * values, then as published for one that a later change may undo.
 */
public final class ChangePoints {
  /** The probability of a false change in a series, for both tests together. */
  private static final double SIGNIFICANCE = 0.006;

  private static final int ORDERS = 999;

  /** Number of random orders that may have as large a distance, for each of the two tests. */
  private static final long ALLOWED_ORDERS = Math.round(SIGNIFICANCE / 2 * (ORDERS + 1)) - 1;

  /** Fewer values have no reliable dispersion. */
  private static final int SHORTEST = Interval.MIN_RUNS;

  /** Sums of the same distances in another order may differ by less than this part. */
  private static final double ROUNDING = 1e-9;

  private static final long SEED = 1;

  private ChangePoints() {}

  private record Split(int at, double distance) {}

  /**
   * Returns the indexes of the first values after each change, ascending. Each part has at least
   * {@link Interval#MIN_RUNS} values.
   *
   * @param series in the order of time
   */
  public static List<Integer> of(double[] series) {
    List<Integer> found = new ArrayList<>();
    collect(series, 0, new SplittableRandom(SEED), found);
    return found;
  }

  private static void collect(
      double[] part, int offset, SplittableRandom random, List<Integer> found) {
    for (boolean lasts : new boolean[] {true, false}) {
      Split best = best(part, lasts);
      if (isSignificant(part, best.distance, lasts, random)) {
        double[] rest = Arrays.copyOfRange(part, best.at, part.length);
        collect(Arrays.copyOf(part, best.at), offset, random, found);
        found.add(offset + best.at);
        collect(rest, offset + best.at, random, found);
        return;
      }
    }
  }

  private static boolean isSignificant(
      double[] part, double distance, boolean lasts, SplittableRandom random) {
    if (distance == 0) {
      return false;
    }
    double[] shuffled = part.clone();
    int asLarge = 0;
    for (int order = 0; order < ORDERS && asLarge <= ALLOWED_ORDERS; order++) {
      shuffle(shuffled, random);
      asLarge += best(shuffled, lasts).distance >= distance * (1 - ROUNDING) ? 1 : 0;
    }
    return asLarge <= ALLOWED_ORDERS;
  }

  private static void shuffle(double[] values, SplittableRandom random) {
    for (int i = values.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      double value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }

  /**
   * Returns the split with the largest distance between the values before it and the values after
   * it, up to some end.
   *
   * @param lasts whether that must be the end of the series
   */
  private static Split best(double[] values, boolean lasts) {
    double[] before = new double[values.length + 1]; // sums of the distances of all pairs
    for (int end = 1; end <= values.length; end++) {
      before[end] = before[end - 1];
      for (int i = 0; i < end - 1; i++) {
        before[end] += Math.abs(values[i] - values[end - 1]);
      }
    }
    Split best = new Split(0, 0);
    double[] after = new double[values.length + 1]; // those of the pairs between at and the index
    for (int at = values.length - 1; at >= SHORTEST; at--) {
      double fromFirst = 0;
      for (int end = at + 1; end <= values.length; end++) {
        fromFirst += Math.abs(values[at] - values[end - 1]);
        after[end] += fromFirst;
        if (end - at >= SHORTEST && (!lasts || end == values.length)) {
          double between = before[end] - before[at] - after[end];
          double distance = distance(at, before[at], end - at, after[end], between);
          best = distance > best.distance ? new Split(at, distance) : best;
        }
      }
    }
    return best;
  }

  /** Returns the energy distance of two sides by the sums of the distances of their pairs. */
  private static double distance(
      double left, double withinLeft, double right, double withinRight, double between) {
    double pairs = left * right;
    return pairs
        / (left + right)
        * (2 * between / pairs
            - 2 * withinLeft / (left * (left - 1))
            - 2 * withinRight / (right * (right - 1)));
  }
}
