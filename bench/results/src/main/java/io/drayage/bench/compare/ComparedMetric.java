package io.drayage.bench.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.ResultFigures;
import io.drayage.bench.result.Run;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The metrics of a comparison. For all of them, less is better. */
public enum ComparedMetric {
  SQ("S+Q s", 1),
  COMMIT("commit s", 1),
  /** S+Q over that of the baseline in the same turn: a slow machine slows both. */
  RELATIVE("S+Q / base", 1),
  /** Bytes of all frames. */
  WIRE("sent MB", 1e6),
  /** CPU time of all processes; 0 is less than the clock's resolution, thus not measured. */
  CPU("CPU s", 1),
  /** The peaks of worker and transactor together. */
  MEMORY("memory MB", 1e6);

  private final String heading;
  private final double unit;

  ComparedMetric(String heading, double unit) {
    this.heading = heading;
    this.unit = unit;
  }

  private @Nullable Double valueOf(Run run, @Nullable Run base) {
    return switch (this) {
      case SQ -> run.sqS();
      case COMMIT -> run.commitS();
      case RELATIVE ->
          base == null || base.system().equals(run.system())
              ? null
              : ResultFigures.quotient(run.sqS(), base.sqS());
      case WIRE -> run.wireBytes() == null ? null : (Double) (double) run.wireBytes();
      case CPU -> aboveZero(run.cpuS());
      case MEMORY -> peakBytes(run);
    };
  }

  private static @Nullable Double peakBytes(Run run) {
    Long worker = run.cost().workerPeakBytes();
    Long transactor = run.cost().transactorPeakBytes();
    return worker == null || transactor == null
        ? null
        : aboveZero((double) worker + (double) transactor);
  }

  private static @Nullable Double aboveZero(@Nullable Double value) {
    return value == null || value <= 0 ? null : value;
  }

  /**
   * Returns the values of some turns of a system, in seconds, in bytes or as a ratio.
   *
   * @param result the run of the turns
   */
  List<Double> valuesOf(ReportRun result, List<Run> turns) {
    Map<List<@Nullable Integer>, Run> baseline = new HashMap<>();
    result.countedRuns(result.baseline()).forEach(run -> baseline.put(turn(run), run));
    return turns.stream()
        .map(run -> valueOf(run, baseline.get(turn(run))))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Returns the group and the number of a turn. */
  static List<@Nullable Integer> turn(Run run) {
    return Arrays.asList(run.group(), run.iteration());
  }

  /** The metric with its unit, for people. */
  public String heading() {
    return heading;
  }

  /** Converts a value to the unit of the heading. */
  public double shown(double plain) {
    return plain / unit;
  }

  /** Returns the name as the user writes it, such as {@code sq}. */
  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the metric of a name.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public static ComparedMetric ofName(String name) {
    return Arrays.stream(values())
        .filter(metric -> metric.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no metric '%s': name one of %s".formatted(name, names())));
  }

  private static String names() {
    return Arrays.stream(values()).map(ComparedMetric::toString).collect(Collectors.joining(", "));
  }
}
