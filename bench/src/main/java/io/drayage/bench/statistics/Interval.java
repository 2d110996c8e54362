package io.drayage.bench.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * An estimate with its interval of 95 % confidence.
 *
 * @param estimate what was estimated
 * @param low the lower end
 * @param high the upper end
 */
public record Interval(double estimate, double low, double high) {
  /** Fewer turns have intervals too wide to decide anything. */
  public static final int MIN_TURNS = 5;

  private static final double CONFIDENCE = 0.95;
  private static final double TAIL = (1 - CONFIDENCE) / 2;

  /** The part of the turns at either end of which only the rank counts. */
  private static final double TRIM = 0.2;

  private static final int RESAMPLES = 10_000;

  /** The same figures give the same interval. */
  private static final long SEED = 20_261_122;

  /**
   * The median of at least one value, between two of the values, whatever their distribution. Fewer
   * than six values have no such interval, so all of them stand for it.
   */
  public static Interval ofMedian(List<Double> values) {
    double[] sorted = Medians.array(values);
    Arrays.sort(sorted);
    int cut = cut(sorted.length);
    return new Interval(Medians.of(sorted), sorted[cut], sorted[sorted.length - 1 - cut]);
  }

  /** How many values may be left out at either end. */
  private static int cut(int count) {
    BinomialDistribution below = BinomialDistribution.of(count, 0.5);
    int cut = 0;
    while (below.cumulativeProbability(cut + 1) <= TAIL) {
      cut++;
    }
    return cut;
  }

  /**
   * The ratio of times that were taken in turns: the trimmed mean (20 % at either end) of the
   * logarithms of each turn's ratio. A slow turn, or a JVM that is still warming, meets both sides,
   * and a single bad turn decides nothing.
   *
   * <p>Source: K. K. Yuen, The two-sample trimmed t for unequal population variances, Biometrika 61
   * (1974), in its form for one sample of differences.
   *
   * @param numerators turn by turn
   * @param denominators of the same turns
   * @throws IllegalArgumentException unless there are as many of both, at least {@link #MIN_TURNS}
   */
  public static Interval ofPairedRatio(List<Double> numerators, List<Double> denominators) {
    int turns = numerators.size();
    if (turns != denominators.size() || turns < MIN_TURNS) {
      throw new IllegalArgumentException(
          "%d and %d turns: as many of both are needed, at least %d"
              .formatted(turns, denominators.size(), MIN_TURNS));
    }
    double[] logs =
        IntStream.range(0, turns)
            .mapToDouble(turn -> Math.log(numerators.get(turn) / denominators.get(turn)))
            .sorted()
            .toArray();
    int trimmed = (int) (TRIM * turns);
    int kept = turns - 2 * trimmed;
    double mean = Arrays.stream(logs, trimmed, turns - trimmed).average().orElseThrow();
    double error = Math.sqrt(winsorizedSquares(logs, trimmed) / (kept * (kept - 1)));
    double width = TDistribution.of(kept - 1).inverseSurvivalProbability(TAIL) * error;
    return new Interval(Math.exp(mean), Math.exp(mean - width), Math.exp(mean + width));
  }

  /** The squared distances from their mean, with the ends replaced by their neighbours. */
  private static double winsorizedSquares(double[] sorted, int ends) {
    double[] winsorized = sorted.clone();
    Arrays.fill(winsorized, 0, ends, sorted[ends]);
    Arrays.fill(winsorized, sorted.length - ends, sorted.length, sorted[sorted.length - 1 - ends]);
    double mean = Arrays.stream(winsorized).average().orElseThrow();
    return Arrays.stream(winsorized).map(value -> (value - mean) * (value - mean)).sum();
  }

  /**
   * The ratio of the medians of two independent samples, with the percentile bootstrap.
   *
   * @param numerators at least one, all above zero
   * @param denominators likewise
   */
  public static Interval ofMedianRatio(double[] numerators, double[] denominators) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] ratios = new double[RESAMPLES];
    double[] drawnBelow = new double[denominators.length];
    double[] drawnAbove = new double[numerators.length];
    for (int i = 0; i < RESAMPLES; i++) {
      double below = drawnMedian(denominators, drawnBelow, random);
      ratios[i] = drawnMedian(numerators, drawnAbove, random) / below;
    }
    Arrays.sort(ratios);
    int tail = (int) Math.floor(RESAMPLES * TAIL);
    return new Interval(
        Medians.of(numerators) / Medians.of(denominators),
        ratios[tail],
        ratios[RESAMPLES - 1 - tail]);
  }

  private static double drawnMedian(double[] from, double[] into, SplittableRandom random) {
    for (int i = 0; i < into.length; i++) {
      into[i] = from[random.nextInt(from.length)];
    }
    return Medians.of(into);
  }

  /** Whether the two cannot be told apart. */
  public boolean overlaps(Interval other) {
    return low <= other.high && other.low <= high;
  }
}
