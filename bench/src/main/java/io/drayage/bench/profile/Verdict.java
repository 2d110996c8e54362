package io.drayage.bench.profile;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * What taking a suspect away says of it.
 *
 * @param gain the part of S+Q that went away with the suspect, by the medians: 0.2 is 20 %
 * @param low the lower end of its interval
 * @param high the upper end
 * @param finding what follows from that
 */
record Verdict(double gain, double low, double high, Finding finding) {
  /** Less than that part of S+Q is nothing to act upon. */
  static final double THRESHOLD = 0.05;

  private static final int RESAMPLES = 4_000;
  private static final double TAIL = 0.025;

  /** Fewer turns have no interval that is worth its name: that of 3 covers 72 to 79 %. */
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
   * Compares times that were taken in turns. The interval is a 95 % bootstrap interval of the ratio
   * of the medians: whole turns are drawn, so that what slows a turn down meets both.
   *
   * @param with the times with the suspect, turn by turn
   * @param without the times without it, in the same turns
   * @throws IllegalArgumentException if there are not as many of both, or fewer than {@link
   *     #MIN_TURNS}
   */
  static Verdict of(List<Double> with, List<Double> without) {
    if (with.size() != without.size() || with.size() < MIN_TURNS) {
      throw new IllegalArgumentException(
          "%d and %d turns: as many of both are needed, at least %d"
              .formatted(with.size(), without.size(), MIN_TURNS));
    }
    double[] base = with.stream().mapToDouble(Double::doubleValue).toArray();
    double[] other = without.stream().mapToDouble(Double::doubleValue).toArray();
    Random random = new Random(1);
    double[] gains = new double[RESAMPLES];
    double[] drawnBase = new double[base.length];
    double[] drawnOther = new double[base.length];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int turn = 0; turn < base.length; turn++) {
        int drawn = random.nextInt(base.length);
        drawnBase[turn] = base[drawn];
        drawnOther[turn] = other[drawn];
      }
      gains[i] = gain(drawnBase, drawnOther);
    }
    Arrays.sort(gains);
    double low = gains[(int) (TAIL * RESAMPLES)];
    double high = gains[(int) ((1 - TAIL) * RESAMPLES) - 1];
    double gain = gain(base, other);
    return new Verdict(gain, low, high, finding(gain, low, high));
  }

  private static Finding finding(double gain, double low, double high) {
    if (low > 0 && gain >= THRESHOLD) {
      return Finding.GUILTY;
    }
    return high < THRESHOLD ? Finding.NOT_GUILTY : Finding.UNDECIDED;
  }

  private static double gain(double[] with, double[] without) {
    return 1 - median(without) / median(with);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
