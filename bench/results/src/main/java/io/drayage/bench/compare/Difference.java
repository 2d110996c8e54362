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
 * @param fresh the median of the second side's
 * @param baseCount number of warm runs or launches of the first side
 * @param freshCount number of warm runs or launches of the second side
 * @param changePercent the second side's increase over the first
 * @param lowPercent the lower end of its interval of 99 %; null with too few
 * @param highPercent the upper end; null with too few
 * @param boundPercent the largest change that does not matter
 */
public record Difference(
    String system,
    ComparedMetric metric,
    double base,
    double fresh,
    int baseCount,
    int freshCount,
    double changePercent,
    @Nullable Double lowPercent,
    @Nullable Double highPercent,
    double boundPercent) {
  /** Larger changes are shown in scientific notation. */
  private static final double MANY_PERCENT = 1e6;

  /**
   * Compares two samples.
   *
   * @param before of the first side, at least one, all above zero
   * @param after of the second side, at least one, all above zero
   * @param boundPercent the largest change that does not matter
   */
  public static Difference of(
      String system, ComparedMetric metric, double[] before, double[] after, double boundPercent) {
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
    return 100 * (ratio - 1);
  }

  /** Whether there are too few runs or launches to estimate their variation. */
  @JsonProperty
  public boolean tooFew() {
    return lowPercent == null || highPercent == null;
  }

  /** Whether its interval excludes zero, which is no change. */
  @JsonIgnore
  public boolean isSignificant() {
    return lowPercent != null && highPercent != null && (lowPercent > 0 || highPercent < 0);
  }

  /** Whether its interval is within the bound: it excludes every relevant change. */
  @JsonIgnore
  public boolean isWithinBound() {
    return lowPercent != null
        && highPercent != null
        && lowPercent >= -boundPercent
        && highPercent <= boundPercent;
  }

  /** Whether the second side is worse, perhaps by more than the bound, also after a restart. */
  @JsonIgnore
  public boolean isWorse() {
    return isSignificant() && !isWithinBound() && changePercent > 0;
  }

  /** Whether its interval excludes every relevant change, or excludes zero. */
  @JsonIgnore
  public boolean isDecided() {
    return isSignificant() || isWithinBound();
  }

  /** Returns the verdict in a few words. */
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

  /** Returns the change, such as {@code +5.1 %}. */
  public String changeText() {
    return percentText(changePercent) + " %";
  }

  /** Returns the interval, such as {@code +1.0 to +9.3 %}. */
  public String intervalText() {
    return lowPercent == null || highPercent == null
        ? "-"
        : "%s to %s %%".formatted(percentText(lowPercent), percentText(highPercent));
  }

  private static String percentText(double percent) {
    return format(percent < MANY_PERCENT ? "%+.1f" : "%+.1e", percent);
  }
}
