package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.drayage.bench.system.Rung;
import org.jspecify.annotations.Nullable;

/**
 * The change of one rung of a ladder, and its gain.
 *
 * @param rung its number, from 1
 * @param change the difference from {@code over}
 * @param over the name of the rung that it is compared with; null for the first
 * @param overNumber the number of that rung
 * @param gain S+Q of {@code over} over this one's, from the turns of both; or the commits
 * @param byCommit whether the gain is that of the commits
 * @param gainLow the lower end of its interval of 95 % confidence; null with too few turns
 * @param gainHigh the upper end; null with too few turns
 * @param reason the reason why it was skipped; null if it was not
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Step(
    int rung,
    String change,
    @Nullable String over,
    @Nullable Integer overNumber,
    boolean byCommit,
    @Nullable Double gain,
    @Nullable Double gainLow,
    @Nullable Double gainHigh,
    @Nullable String reason) {
  static Step of(
      Rung rung, int number, @Nullable Integer overNumber, Speedup gain, @Nullable String reason) {
    return new Step(
        number,
        rung.change(),
        rung.isFirst() ? null : rung.over(),
        overNumber,
        !rung.isShipmentAlone(),
        gain.times(),
        gain.low(),
        gain.high(),
        reason);
  }
}
