package io.drayage.bench.profile;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What recording cost a system: iterations of processes that were recorded, in turns with those of
 * others that were not. Jackson writes it as it is.
 *
 * @param plainSqS the median of S+Q without a recording
 * @param recordedSqS the median of S+Q with one
 * @param overhead how much longer it took: 0.02 is 2 %
 */
record Overhead(
    String system,
    @Nullable Double plainSqS,
    @Nullable Double recordedSqS,
    @Nullable Double overhead) {
  /** More than that, and the profile is not of what it is taken for. */
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

  boolean isTooMuch() {
    return overhead != null && overhead > WARN_ABOVE;
  }
}
