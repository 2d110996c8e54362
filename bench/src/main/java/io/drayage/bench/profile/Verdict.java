package io.drayage.bench.profile;

import io.drayage.bench.statistics.Interval;
import java.util.List;
import java.util.Locale;

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
   * Compares times that were taken in turns.
   *
   * @param with the times with the suspect, turn by turn
   * @param without the times without it, in the same turns
   * @throws IllegalArgumentException if there are not as many of both, or fewer than {@link
   *     Interval#MIN_TURNS}
   */
  static Verdict of(List<Double> with, List<Double> without) {
    Interval left = Interval.ofPairedRatio(without, with);
    double gain = 1 - left.estimate();
    double low = 1 - left.high();
    double high = 1 - left.low();
    return new Verdict(gain, low, high, finding(gain, low, high));
  }

  private static Finding finding(double gain, double low, double high) {
    if (low > 0 && gain >= THRESHOLD) {
      return Finding.GUILTY;
    }
    return high < THRESHOLD ? Finding.NOT_GUILTY : Finding.UNDECIDED;
  }
}
