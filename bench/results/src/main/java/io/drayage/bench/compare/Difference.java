package io.drayage.bench.compare;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.statistics.Medians;
import org.jspecify.annotations.Nullable;

/**
 * One metric of one system on two sides: a cell.
 *
 * @param base the median of the first side's runs or launches, in seconds, bytes or as a ratio
 * @param fresh the median of the second's
 * @param baseCount how many runs or launches of the first side were warm
 * @param freshCount how many of the second
 * @param changePercent how much more the second is
 * @param lowPercent the lower end of its interval of 99 %; null with too few
 * @param highPercent the upper end, likewise
 * @param boundPercent up to how large a change does not matter
 */
public record Difference(
    String system,
    Metric metric,
    double base,
    double fresh,
    int baseCount,
    int freshCount,
    double changePercent,
    @Nullable Double lowPercent,
    @Nullable Double highPercent,
    double boundPercent) {
  private static final double PERCENT = 100;

  /** Larger ones are not written out. */
  private static final double MANY_PERCENT = 1e6;

  /**
   * Compares two samples.
   *
   * @param before of the first side, at least one, all above zero
   * @param after of the second, likewise
   * @param boundPercent up to how large a change does not matter
   */
  public static Difference of(
      String system, Metric metric, double[] before, double[] after, double boundPercent) {
    double base = Medians.of(before);
    double fresh = Medians.of(after);
    Interval ratio =
        Math.min(before.length, after.length) < Interval.MIN_RUNS
            ? null
            : Interval.ofRuns(after, before);
    return new Difference(
        system,
        metric,
        base,
        fresh,
        before.length,
        after.length,
        percent(ratio == null ? fresh / base : ratio.estimate()),
        ratio == null ? null : (Double) percent(ratio.low()),
        ratio == null ? null : (Double) percent(ratio.high()),
        boundPercent);
  }

  private static double percent(double ratio) {
    return PERCENT * (ratio - 1);
  }

  /** Whether there are so few that nothing tells how they scatter. */
  @JsonProperty
  public boolean tooFew() {
    return lowPercent == null || highPercent == null;
  }

  /** Whether its interval leaves no change out. */
  @JsonIgnore
  public boolean isSignificant() {
    return lowPercent != null && highPercent != null && (lowPercent > 0 || highPercent < 0);
  }

  /** Whether its interval leaves every change out that matters. */
  @JsonIgnore
  public boolean isWithinBound() {
    return lowPercent != null
        && highPercent != null
        && lowPercent >= -boundPercent
        && highPercent <= boundPercent;
  }

  /**
   * Whether it is more, may be so by what matters, and would be when everything is started again.
   */
  @JsonIgnore
  public boolean isWorse() {
    return isSignificant() && !isWithinBound() && changePercent > 0;
  }

  /** Whether its interval leaves every change out that matters, or that of no change. */
  @JsonIgnore
  public boolean isDecided() {
    return isSignificant() || isWithinBound();
  }

  /** In a few words. */
  @JsonProperty
  public String verdict() {
    if (tooFew()) {
      return "too few";
    } else if (isWithinBound()) {
      return "no relevant change";
    } else if (!isSignificant()) {
      return "cannot be told";
    }
    return isWorse() ? "worse" : "better";
  }

  /** {@code +5.1 %}. */
  public String changeText() {
    return percentText(changePercent) + " %";
  }

  /** {@code +1.0 to +9.3 %}. */
  public String intervalText() {
    return lowPercent == null || highPercent == null
        ? "-"
        : "%s to %s %%".formatted(percentText(lowPercent), percentText(highPercent));
  }

  private static String percentText(double percent) {
    return format(percent < MANY_PERCENT ? "%+.1f" : "%+.1e", percent);
  }
}
