package io.drayage.cli.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.PValueMethod;

/**
 * One metric of one system in two runs.
 *
 * @param base the median of the first run, in seconds or bytes
 * @param fresh the median of the second
 * @param changePercent how much more the second median is
 * @param lowPercent the lower end of its interval of 95 %
 * @param highPercent the upper end
 * @param p the probability of ranks at least as different if nothing differed
 * @param tooFew whether there are so few iterations that no difference could be told from chance
 */
record Difference(
    String system,
    Metric metric,
    double base,
    double fresh,
    double changePercent,
    double lowPercent,
    double highPercent,
    double p,
    boolean tooFew) {
  /** A difference that chance explains more rarely is one. */
  static final double ALPHA = 0.05;

  private static final double CONFIDENCE = 0.95;
  private static final int RESAMPLES = 10_000;
  private static final double PERCENT = 100;

  /** The same figures give the same interval. */
  private static final long SEED = 20_261_122;

  /**
   * Compares two samples.
   *
   * @param before of the first run, at least one, all above zero
   * @param after of the second, likewise
   */
  static Difference of(String system, Metric metric, double[] before, double[] after) {
    double base = median(before.clone());
    double fresh = median(after.clone());
    double[] changes = resampledChanges(before, after);
    int tail = (int) Math.floor(RESAMPLES * (1 - CONFIDENCE) / 2);
    return new Difference(
        system,
        metric,
        base,
        fresh,
        change(base, fresh),
        changes[tail],
        changes[RESAMPLES - 1 - tail],
        p(before, after),
        leastP(before.length, after.length) >= ALPHA);
  }

  /** Two-sided, by Mann and Whitney: exact without ties, else by the normal distribution. */
  private static double p(double[] before, double[] after) {
    double first = before[0];
    if (Arrays.stream(before).allMatch(value -> value == first)
        && Arrays.stream(after).allMatch(value -> value == first)) {
      return 1; // nothing to rank
    }
    return MannWhitneyUTest.withDefaults()
        .with(AlternativeHypothesis.TWO_SIDED)
        .with(PValueMethod.AUTO)
        .test(before, after)
        .getPValue();
  }

  /** Of samples that do not overlap at all: 2 / (n + m choose n). */
  private static double leastP(int n, int m) {
    double ways = 1;
    for (int i = 1; i <= n; i++) {
      ways = ways * (m + i) / i;
    }
    return 2 / ways;
  }

  /** The bootstrap: medians of iterations drawn again and again, with replacement; sorted. */
  private static double[] resampledChanges(double[] before, double[] after) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] changes = new double[RESAMPLES];
    double[] drawnBefore = new double[before.length];
    double[] drawnAfter = new double[after.length];
    for (int i = 0; i < RESAMPLES; i++) {
      changes[i] =
          change(
              median(drawn(before, drawnBefore, random)), median(drawn(after, drawnAfter, random)));
    }
    Arrays.sort(changes);
    return changes;
  }

  private static double[] drawn(double[] from, double[] into, SplittableRandom random) {
    for (int i = 0; i < into.length; i++) {
      into[i] = from[random.nextInt(from.length)];
    }
    return into;
  }

  /** Sorts the values. */
  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }

  private static double change(double from, double to) {
    return PERCENT * (to / from - 1);
  }

  /** Whether chance does not explain it. */
  boolean isSignificant() {
    return p < ALPHA && base != fresh;
  }

  /** In a word or two. */
  @JsonProperty
  String verdict() {
    if (!isSignificant()) {
      return tooFew ? "too few iterations" : "no difference";
    }
    return changePercent > 0 ? "worse" : "better";
  }

  /** {@code +5.1 %}. */
  String changeText() {
    return String.format(Locale.ROOT, "%+.1f %%", changePercent);
  }

  /** {@code +1.0 to +9.3 %}. */
  String intervalText() {
    return String.format(Locale.ROOT, "%+.1f to %+.1f %%", lowPercent, highPercent);
  }
}
