package io.drayage.bench.statistics;

import static io.drayage.internal.Texts.format;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * An estimate with its interval, of 95 % confidence but for {@link #ofRuns}.
 *
 * @param estimate what was estimated
 * @param low the lower end
 * @param high the upper end
 */
public record Interval(double estimate, double low, double high) {
  /** Fewer turns have intervals too wide to decide anything. */
  public static final int MIN_TURNS = 5;

  /** Fewer runs, or starts of processes, tell nothing of how they scatter. */
  public static final int MIN_RUNS = 3;

  private static final double TAIL = (1 - 0.95) / 2;

  /** Stricter, since it is to stand when everything is started again. */
  private static final double TAIL_OF_RUNS = (1 - 0.99) / 2;

  /** The part of the turns at either end of which only the rank counts. */
  private static final double TRIM = 0.2;

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
   * The ratio of two samples of runs, one figure a run, with its interval of 99 % confidence: the
   * means of the logarithms, by Welch's test. Runs are few, so none is trimmed.
   *
   * <p>Source: T. Kalibera and R. Jones, Rigorous benchmarking in reasonable time, ISMM 2013: what
   * varies from start to start is seen only by starting again, however many turns a start takes.
   *
   * @param numerators at least {@link #MIN_RUNS}, all above zero
   * @param denominators likewise
   */
  public static Interval ofRuns(double[] numerators, double[] denominators) {
    return ratio(
        Trimmed.of(Arrays.stream(numerators).map(Math::log), 0),
        Trimmed.of(Arrays.stream(denominators).map(Math::log), 0),
        TAIL_OF_RUNS);
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
   * @param kept how many values were not trimmed
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

    /** Its part in the degrees of freedom, by Welch and Satterthwaite. */
    double freedom() {
      return variance * variance / (kept - 1);
    }
  }

  /** Whether the two cannot be told apart. */
  public boolean overlaps(Interval other) {
    return low <= other.high && other.low <= high;
  }
}
