package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.statistics.PairedRatio;
import org.jspecify.annotations.Nullable;

/**
 * The factor by which a system is faster than the baseline, from the turns of both; in JSON {@code
 * sqSpeedup}, {@code sqSpeedupLow}, {@code sqSpeedupHigh}.
 *
 * @param times null if either failed too often
 * @param low the lower end of its interval of 95 % confidence; null with too few turns
 * @param high the upper end; null with too few turns
 */
public record Speedup(
    @JsonProperty("Speedup") @Nullable Double times,
    @JsonProperty("SpeedupLow") @Nullable Double low,
    @JsonProperty("SpeedupHigh") @Nullable Double high) {
  static final Speedup NONE = new Speedup(null, null, null);

  static Speedup of(@Nullable PairedRatio ratio) {
    if (ratio == null) {
      return NONE;
    }
    Interval interval = ratio.interval();
    return interval == null
        ? new Speedup(ratio.estimate(), null, null)
        : new Speedup(ratio.estimate(), interval.low(), interval.high());
  }
}
