package io.drayage.bench.tune;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A setting with its measurements so far. Not thread-safe. */
final class Trial {
  private final Setting setting;
  private final List<Run> runs = new ArrayList<>();
  private @Nullable String error;
  private int rounds;
  private int roundFrom;

  Trial(Setting setting) {
    this.setting = setting;
  }

  Setting setting() {
    return setting;
  }

  /** Begins another round. */
  void beginRound() {
    rounds++;
    roundFrom = runs.size();
  }

  /** Adds runs; a failed run ends the trial. */
  void add(List<Run> measured) {
    for (Run run : measured) {
      if (run.status() == Status.OK) {
        runs.add(run);
      } else if (error == null) {
        error = Objects.requireNonNullElse(run.error(), "failed");
      }
    }
  }

  /** Returns the number of rounds in which it was measured. */
  int rounds() {
    return rounds;
  }

  List<Run> runs() {
    return List.copyOf(runs);
  }

  /** Returns why it failed; null if it did not. */
  @Nullable String error() {
    return error;
  }

  /** Checks whether there are results to compare. */
  boolean isOk() {
    return error == null && !runs.isEmpty();
  }

  /** Returns the seconds of S+Q, in the order of the runs. */
  List<Double> seconds() {
    return runs.stream().map(run -> Objects.requireNonNull(run.sqS())).toList();
  }

  /** Returns raw bytes per second of the median, in MB/s (10^6). */
  double rawMBps() {
    return Objects.requireNonNull(runs.get(0).rawBytes()) / median() / 1e6;
  }

  Interval spread() {
    return Interval.ofMedian(seconds());
  }

  double median() {
    return spread().estimate();
  }

  /**
   * Returns the ratio of its time to that of {@code other}, by their common turns of the last
   * round; null if there are too few of them.
   */
  @Nullable Interval timesAsLongAs(Trial other) {
    List<Double> own = seconds().subList(roundFrom, runs.size());
    List<Double> others = other.seconds().subList(other.roundFrom, other.runs.size());
    return rounds == other.rounds && own.size() == others.size() && own.size() >= Interval.MIN_TURNS
        ? Interval.ofPairedRatio(own, others)
        : null;
  }

  /** Checks whether it cannot be distinguished from {@code other}: turn by turn, or by medians. */
  boolean isLike(Trial other) {
    Interval ratio = timesAsLongAs(other);
    return ratio == null
        ? spread().overlaps(other.spread())
        : ratio.low() <= 1 && ratio.high() >= 1;
  }

  /**
   * Returns the trial as a row of JSON.
   *
   * @param chosen whether it is the choice for its codec
   */
  Map<String, @Nullable Object> row(boolean chosen) {
    Interval spread = isOk() ? spread() : null;
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("serializer", setting.system().serializer());
    row.put("compressor", setting.codec().substring(setting.codec().indexOf('+') + 1));
    row.put("workerThreads", setting.workerThreads());
    row.put("transactorThreads", setting.transactorThreads());
    row.put("segmentBytes", setting.segmentBytes());
    row.put("connections", setting.connections());
    row.put("samplesS", seconds());
    row.put("medianS", spread == null ? null : spread.estimate());
    row.put("lowS", spread == null ? null : spread.low());
    row.put("highS", spread == null ? null : spread.high());
    row.put("rawMBps", spread == null ? null : rawMBps());
    row.put("rounds", rounds);
    row.put("chosen", chosen);
    row.put("error", error);
    return row;
  }
}
