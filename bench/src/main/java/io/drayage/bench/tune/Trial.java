package io.drayage.bench.tune;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A setting, with what was measured of it so far. Not thread-safe. */
final class Trial {
  private final Setting setting;
  private final List<Run> runs = new ArrayList<>();
  private @Nullable String error;
  private int rounds;

  Trial(Setting setting) {
    this.setting = setting;
  }

  Setting setting() {
    return setting;
  }

  /** Adds what was measured; a failed run ends the trial. */
  void add(List<Run> measured) {
    for (Run run : measured) {
      if (run.status() == Status.OK) {
        runs.add(run);
      } else if (error == null) {
        error = Objects.requireNonNullElse(run.error(), "failed");
      }
    }
  }

  /** It was part of another round. */
  void endRound() {
    rounds++;
  }

  /** In how many rounds it was measured. */
  int rounds() {
    return rounds;
  }

  /** The runs that succeeded. */
  List<Run> runs() {
    return List.copyOf(runs);
  }

  /** Why it failed; null if it did not. */
  @Nullable String error() {
    return error;
  }

  /** Whether there is something to compare. */
  boolean isOk() {
    return error == null && !runs.isEmpty();
  }

  /** The seconds of S+Q, in the order of the runs. */
  List<Double> seconds() {
    return runs.stream().map(run -> Objects.requireNonNull(run.sqS())).toList();
  }

  /** Raw bytes per second of the median, in MB/s (10^6). */
  double rawMBps() {
    return Objects.requireNonNull(runs.get(0).rawBytes()) / median() / 1e6;
  }

  Interval spread() {
    return Interval.ofMedian(seconds());
  }

  double median() {
    return spread().estimate();
  }
}
