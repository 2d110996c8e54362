package io.drayage.bench.profile;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * What taking a suspect away says of it.
 *
 * @param gain the part of S+Q that went away with the suspect, 0.2 is 20 %
 * @param low the lower end of its interval
 * @param high the upper end
 * @param finding what follows from that
 */
record Verdict(double gain, double low, double high, Finding finding) {
  /** Less than that part of S+Q is nothing to act upon. */
  static final double THRESHOLD = 0.05;

  private static final double CONFIDENCE = 0.95;

  /** Of this part of the turns at either end only the rank counts. */
  private static final double TRIM = 0.2;

  /** Fewer turns have intervals too wide to decide anything. */
  static final int MIN_TURNS = 5;

  /** What can be found. */
  enum Finding {
    /** It takes at least {@link Verdict#THRESHOLD} of S+Q, and surely something. */
    GUILTY,
    /** It surely takes less. */
    NOT_GUILTY,
    /** The iterations differ too much among themselves. */
    UNDECIDED;

    /** For people. */
    String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * Compares times that were taken in turns, by the trimmed mean (20 % at either end) of the
   * logarithms of each turn's ratio, with its 95 % interval. So what slows a turn down, or speeds
   * all of them up while the JVM warms, meets both sides, and a single bad turn decides nothing.
   *
   * <p>Source of the interval: K. K. Yuen, The two-sample trimmed t for unequal population
   * variances, Biometrika 61 (1974), in its form for one sample of differences.
   *
   * @param with the times with the suspect, turn by turn
   * @param without the times without it, in the same turns
   * @throws IllegalArgumentException if there are not as many of both, or fewer than {@link
   *     #MIN_TURNS}
   */
  static Verdict of(List<Double> with, List<Double> without) {
    int turns = with.size();
    if (turns != without.size() || turns < MIN_TURNS) {
      throw new IllegalArgumentException(
          "%d and %d turns: as many of both are needed, at least %d"
              .formatted(turns, without.size(), MIN_TURNS));
    }
    double[] logs =
        IntStream.range(0, turns)
            .mapToDouble(turn -> Math.log(without.get(turn) / with.get(turn)))
            .sorted()
            .toArray();
    int trimmed = (int) (TRIM * turns);
    int kept = turns - 2 * trimmed;
    double mean = Arrays.stream(logs, trimmed, turns - trimmed).average().orElseThrow();
    double error = Math.sqrt(winsorizedSquares(logs, trimmed) / (kept * (kept - 1)));
    double quantile = TDistribution.of(kept - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    double gain = gain(mean);
    double low = gain(mean + quantile * error);
    double high = gain(mean - quantile * error);
    return new Verdict(gain, low, high, finding(gain, low, high));
  }

  /** The squared distances from their mean, if the ends are replaced by what is next to them. */
  private static double winsorizedSquares(double[] sorted, int ends) {
    double[] winsorized = sorted.clone();
    Arrays.fill(winsorized, 0, ends, sorted[ends]);
    Arrays.fill(winsorized, sorted.length - ends, sorted.length, sorted[sorted.length - 1 - ends]);
    double mean = Arrays.stream(winsorized).average().orElseThrow();
    return Arrays.stream(winsorized).map(value -> (value - mean) * (value - mean)).sum();
  }

  private static Finding finding(double gain, double low, double high) {
    if (low > 0 && gain >= THRESHOLD) {
      return Finding.GUILTY;
    }
    return high < THRESHOLD ? Finding.NOT_GUILTY : Finding.UNDECIDED;
  }

  private static double gain(double logOfRatio) {
    return 1 - Math.exp(logOfRatio);
  }
}
