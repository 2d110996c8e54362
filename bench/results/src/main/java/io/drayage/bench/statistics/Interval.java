package io.drayage.bench.statistics;

import static io.drayage.internal.Texts.format;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * An estimate with its interval, of 95 % confidence except for {@link #ofRuns}.
 *
 * @param estimate the estimated value
 * @param low the lower end
 * @param high the upper end
 */
public record Interval(double estimate, double low, double high) {
  /** Fewer turns have intervals too wide to decide anything. */
  public static final int MIN_TURNS = 5;

  /** Fewer runs, or starts of processes, show too little of their variation. */
  public static final int MIN_RUNS = 3;

  private static final double TAIL = (1 - 0.95) / 2;

  /** A stricter limit, because the interval must hold when all processes are started again. */
  private static final double TAIL_OF_RUNS = (1 - 0.99) / 2;

  /** The part of the turns at each end for which only the rank counts. */
  private static final double TRIM = 0.2;

  /**
   * Returns the median of at least one value, with an interval between two of the values, whatever
   * their distribution. Fewer than six values have no such interval, so it spans all of them.
   */
  public static Interval ofMedian(List<Double> values) {
    double[] sorted = Medians.array(values);
    Arrays.sort(sorted);
    int cut = cut(sorted.length);
    return new Interval(Medians.of(sorted), sorted[cut], sorted[sorted.length - 1 - cut]);
  }

  /** Number of values that may be left out at each end. */
  private static int cut(int count) {
    BinomialDistribution below = BinomialDistribution.of(count, 0.5);
    int cut = 0;
    while (below.cumulativeProbability(cut + 1) <= TAIL) {
      cut++;
    }
    return cut;
  }

  /**
   * Returns the ratio of times that were measured alternately: the trimmed mean (20 % at each end)
   * of the logarithms of each turn's ratio. A slow turn, or a JVM that is still warming, affects
   * both sides, and a single bad turn decides nothing.
   *
   * <p>Source: K. K. Yuen, The two-sample trimmed t for unequal population variances, Biometrika 61
   * (1974).
   *
   * @param numerators turn by turn
   * @param denominators of the same turns
   * @throws IllegalArgumentException unless there are as many of both, at least {@link #MIN_TURNS}
   */
  public static Interval ofPairedRatio(List<Double> numerators, List<Double> denominators) {
    int turns = numerators.size();
    if (turns != denominators.size() || turns < MIN_TURNS) {
      throw new IllegalArgumentException(
          format(
              "%d and %d turns: as many of both are needed, at least %d",
              turns, denominators.size(), MIN_TURNS));
    }
    return ratio(
        Trimmed.of(
            IntStream.range(0, turns)
                .mapToDouble(turn -> Math.log(numerators.get(turn) / denominators.get(turn))),
            TRIM),
        null,
        TAIL);
  }

  /**
   * Returns the ratio of two samples of runs, one figure a run, with its interval of 99 %
   * confidence: the means of the logarithms, by Welch's test. Runs are few, so none is trimmed.
   *
   * <p>Source: T. Kalibera and R. Jones, Rigorous benchmarking in reasonable time, ISMM 2013: only
   * restarts show the variation from start to start, however many turns a start has.
   *
   * @param numerators at least {@link #MIN_RUNS}, all above zero
   * @param denominators at least {@link #MIN_RUNS}, all above zero
   */
  public static Interval ofRuns(double[] numerators, double[] denominators) {
    return ratio(
        Trimmed.of(Arrays.stream(numerators).map(Math::log), 0),
        Trimmed.of(Arrays.stream(denominators).map(Math::log), 0),
        TAIL_OF_RUNS);
  }

  /**
   * Returns a share of samples, 0 to 1, by Wilson's score: samples that show none of a thing do not
   * show that it is not there.
   *
   * <p>Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
   * Journal of the American Statistical Association 22 (1927).
   *
   * @param share found in the samples
   * @param samples their number; without any, the interval spans everything
   */
  public static Interval ofShare(double share, long samples) {
    if (samples == 0) {
      return new Interval(share, 0, 1);
    }
    double z = NormalDistribution.of(0, 1).inverseSurvivalProbability(TAIL);
    double weight = z * z / samples;
    double middle = share + weight / 2;
    double width = Math.sqrt(weight * (share * (1 - share) + weight / 4));
    return new Interval(share, (middle - width) / (1 + weight), (middle + width) / (1 + weight));
  }

  private static Interval ratio(Trimmed above, @Nullable Trimmed below, double tail) {
    double mean = above.mean - (below == null ? 0 : below.mean);
    double variance = above.variance + (below == null ? 0 : below.variance);
    double width = 0;
    if (variance > 0) {
      double spread = above.freedom() + (below == null ? 0 : below.freedom());
      double freedom = variance * variance / spread;
      width = TDistribution.of(freedom).inverseSurvivalProbability(tail) * Math.sqrt(variance);
    }
    return new Interval(Math.exp(mean), Math.exp(mean - width), Math.exp(mean + width));
  }

  /**
   * The trimmed mean of a sample.
   *
   * @param variance of that mean, from the sample with its ends replaced by their neighbours
   * @param kept number of values that were not trimmed
   */
  private record Trimmed(double mean, double variance, int kept) {
    static Trimmed of(DoubleStream values, double trim) {
      double[] sorted = values.sorted().toArray();
      int ends = (int) (trim * sorted.length);
      int kept = sorted.length - 2 * ends;
      double mean = Arrays.stream(sorted, ends, ends + kept).average().orElseThrow();
      Arrays.fill(sorted, 0, ends, sorted[ends]);
      Arrays.fill(sorted, ends + kept, sorted.length, sorted[ends + kept - 1]);
      double middle = Arrays.stream(sorted).average().orElseThrow();
      double squares = Arrays.stream(sorted).map(value -> Math.pow(value - middle, 2)).sum();
      return new Trimmed(mean, squares / (kept * (kept - 1)), kept);
    }

    /** Returns its part in the degrees of freedom, by Welch and Satterthwaite. */
    double freedom() {
      return variance * variance / (kept - 1);
    }
  }

  /** Whether the two intervals overlap: then the estimates cannot be distinguished. */
  public boolean overlaps(Interval other) {
    return low <= other.high && other.low <= high;
  }
}
