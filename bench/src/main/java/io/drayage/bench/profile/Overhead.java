package io.drayage.bench.profile;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What recording cost a system: recorded iterations in turns with unrecorded ones, in processes of
 * their own. Serialized by Jackson.
 *
 * @param plainSqS the median of S+Q without a recording
 * @param recordedSqS the median of S+Q with one
 * @param overhead how much longer it took: 0.02 is 2 %
 */
public record Overhead(
    String system,
    @Nullable Double plainSqS,
    @Nullable Double recordedSqS,
    @Nullable Double overhead) {
  /** A larger overhead makes a profile unreliable. */
  static final double WARN_ABOVE = 0.05;

  static Overhead of(String system, List<Run> plain, List<Run> recorded) {
    Double without = median(system, plain);
    Double with = median(system, recorded);
    return new Overhead(
        system, without, with, without == null || with == null ? null : with / without - 1);
  }

  static @Nullable Double median(String system, List<Run> runs) {
    return Medians.of(
        runs.stream()
            .filter(run -> run.system().equals(system) && run.status() == Status.OK)
            .toList(),
        Run::sqS);
  }

  /** In a line. */
  String text() {
    return overhead == null
        ? "overhead of recording %s: not measured".formatted(system)
        : String.format(
            Locale.ROOT,
            "overhead of recording %s: %s (S+Q %.3f s with, %.3f s without)",
            system,
            percentText(),
            recordedSqS,
            plainSqS);
  }

  /** {@code +2.1 %}; only if it was measured. */
  String percentText() {
    return String.format(Locale.ROOT, "%+.1f %%", 100 * Objects.requireNonNull(overhead));
  }

  boolean isTooMuch() {
    return overhead != null && overhead > WARN_ABOVE;
  }
}
