package io.drayage.bench.history;

import io.drayage.bench.compare.ComparedMetric;
import io.drayage.bench.compare.Difference;
import io.drayage.bench.report.ReportRun;
import io.drayage.bench.statistics.ChangePoints;
import io.drayage.bench.statistics.Medians;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One metric of one system over runs, with its changes.
 *
 * @param launches of each run, as medians of their turns; empty for a run without the metric
 * @param changes in the order of time
 */
record Trend(
    String system, ComparedMetric metric, List<List<Double>> launches, List<Change> changes) {
  /**
   * A change.
   *
   * @param run the index of the first run after it
   * @param before the index of the last run with the metric before it
   * @param difference between the runs since the change before, and the runs until the next one
   */
  record Change(int run, int before, Difference difference) {}

  Trend {
    launches = List.copyOf(launches);
    changes = List.copyOf(changes);
  }

  static Trend of(List<ReportRun> runs, String system, ComparedMetric metric) {
    List<List<Double>> launches = runs.stream().map(run -> metric.launches(run, system)).toList();
    List<Integer> measured = new ArrayList<>();
    List<Double> medians = new ArrayList<>();
    for (int run = 0; run < launches.size(); run++) {
      Double median = Medians.of(launches.get(run));
      if (median != null) {
        measured.add(run);
        medians.add(median);
      }
    }
    // A slowdown of 15 % has the same size in fast and in slow runs.
    List<Integer> points = ChangePoints.of(medians.stream().mapToDouble(Math::log).toArray());
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      int from = i == 0 ? 0 : points.get(i - 1);
      int at = points.get(i);
      int to = i + 1 == points.size() ? medians.size() : points.get(i + 1);
      changes.add(
          new Change(
              measured.get(at),
              measured.get(at - 1),
              Difference.of(system, metric, array(medians, from, at), array(medians, at, to), 0)));
    }
    return new Trend(system, metric, launches, changes);
  }

  private static double[] array(List<Double> values, int from, int to) {
    return values.subList(from, to).stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns the median of a run's launches; null if it lacks the metric. */
  @Nullable Double median(int run) {
    return Medians.of(launches.get(run));
  }

  /** Returns the median of the medians of some runs; null if none has the metric. */
  @Nullable Double median(int from, int to) {
    List<Double> medians = new ArrayList<>();
    for (int run = from; run < to; run++) {
      Double median = median(run);
      if (median != null) {
        medians.add(median);
      }
    }
    return Medians.of(medians);
  }

  boolean isMeasured() {
    return launches.stream().anyMatch(run -> !run.isEmpty());
  }

  /** The column of a table for other tools, such as {@code commit of netty:raw+none@2}. */
  String name() {
    return "%s of %s".formatted(metric, system);
  }
}
