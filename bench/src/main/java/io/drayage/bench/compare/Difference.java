package io.drayage.bench.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.statistics.RankTest;
import java.util.Locale;

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
public record Difference(
    String system,
    Metric metric,
    double base,
    double fresh,
    double changePercent,
    double lowPercent,
    double highPercent,
    double p,
    boolean tooFew) {
  private static final double PERCENT = 100;

  /**
   * Compares two samples.
   *
   * @param before of the first run, at least one, all above zero
   * @param after of the second, likewise
   */
  public static Difference of(String system, Metric metric, double[] before, double[] after) {
    Interval ratio = Interval.ofMedianRatio(after, before);
    return new Difference(
        system,
        metric,
        Medians.of(before),
        Medians.of(after),
        percent(ratio.estimate()),
        percent(ratio.low()),
        percent(ratio.high()),
        RankTest.p(before, after),
        RankTest.isHopeless(before.length, after.length));
  }

  private static double percent(double ratio) {
    return PERCENT * (ratio - 1);
  }

  /** Whether chance does not explain it. */
  @JsonIgnore
  public boolean isSignificant() {
    return p < RankTest.ALPHA && base != fresh;
  }

  /** In a word or two. */
  @JsonProperty
  public String verdict() {
    if (!isSignificant()) {
      return tooFew ? "too few iterations" : "no difference";
    }
    return changePercent > 0 ? "worse" : "better";
  }

  /** {@code +5.1 %}. */
  public String changeText() {
    return String.format(Locale.ROOT, "%+.1f %%", changePercent);
  }

  /** {@code +1.0 to +9.3 %}. */
  public String intervalText() {
    return String.format(Locale.ROOT, "%+.1f to %+.1f %%", lowPercent, highPercent);
  }
}
