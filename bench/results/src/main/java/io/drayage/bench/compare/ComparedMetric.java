package io.drayage.bench.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.drayage.bench.page.Axis;
import io.drayage.bench.page.Axis.Unit;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.ResultFigures;
import io.drayage.bench.result.Run;
import io.drayage.bench.statistics.Medians;
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
  SQ("S+Q", Unit.SECONDS),
  COMMIT("commit", Unit.SECONDS),
  /** S+Q over that of the baseline in the same turn: a slow machine slows both. */
  RELATIVE("S+Q / base", Unit.RATIO),
  /** Bytes of all frames. */
  WIRE("sent", Unit.BYTES),
  /** CPU time of all processes; 0 is less than the clock's resolution, thus not measured. */
  CPU("CPU", Unit.SECONDS),
  /** The peaks of worker and transactor together. */
  MEMORY("memory", Unit.BYTES);

  private static final double MEGABYTE = 1e6;

  private final String title;
  private final Unit unit;

  ComparedMetric(String title, Unit unit) {
    this.title = title;
    this.unit = unit;
  }

  /** Returns the axis of its values, titled with the metric's name for people. */
  public Axis axis() {
    return Axis.of(title, unit);
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
   * Returns the median of each launch of a system that was warm and has the metric, in seconds, in
   * bytes or as a ratio.
   */
  public List<Double> launches(ReportRun run, String system) {
    return Side.launches(run, system).stream()
        .filter(turns -> !Side.isCold(turns))
        .map(turns -> Medians.of(valuesOf(run, turns)))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Returns the values of some turns of a run. */
  private List<Double> valuesOf(ReportRun result, List<Run> turns) {
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
    return switch (unit) {
      case SECONDS -> title + " s";
      case BYTES -> title + " MB";
      default -> title;
    };
  }

  /** Converts a value to the unit of the heading. */
  public double shown(double plain) {
    return unit == Unit.BYTES ? plain / MEGABYTE : plain;
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
