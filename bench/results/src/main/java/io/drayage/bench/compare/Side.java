package io.drayage.bench.compare;

import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Run;
import io.drayage.bench.statistics.Medians;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One side of a comparison. Its samples are runs, if there are several: each is the mean of the
 * run's launches. Else its samples are launches of the processes: each is the median of the
 * launch's turns. A launch that was not warm has no sample.
 *
 * @param runs at least one
 */
record Side(List<ReportRun> runs) {
  Side {
    runs = List.copyOf(runs);
  }

  ReportRun first() {
    return runs.get(0);
  }

  /** The systems of all runs. */
  List<String> systems() {
    return runs.stream().flatMap(run -> run.systems().stream()).distinct().toList();
  }

  /** Returns the samples of a metric. */
  double[] figures(ComparedMetric metric, String system) {
    List<Double> figures = new ArrayList<>();
    for (ReportRun run : runs) {
      List<Double> launches = new ArrayList<>();
      for (List<Run> turns : launches(run, system)) {
        Double median = isCold(turns) ? null : Medians.of(metric.valuesOf(run, turns));
        if (median != null) {
          launches.add(median);
        }
      }
      if (runs.size() == 1) {
        figures.addAll(launches);
      } else if (!launches.isEmpty()) {
        figures.add(launches.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
      }
    }
    return figures.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Number of launches of a system that were not warm. */
  int cold(String system) {
    int cold = 0;
    for (ReportRun run : runs) {
      for (List<Run> turns : launches(run, system)) {
        cold += isCold(turns) ? 1 : 0;
      }
    }
    return cold;
  }

  /** Returns the counted turns of each launch. */
  private static List<List<Run>> launches(ReportRun run, String system) {
    if (!run.systems().contains(system)) {
      return List.of();
    }
    Map<Integer, List<Run>> launches =
        run.countedRuns(system).stream()
            .collect(
                Collectors.groupingBy(
                    one -> Objects.requireNonNullElse(one.launch(), 1),
                    TreeMap::new,
                    Collectors.toList()));
    return List.copyOf(launches.values());
  }

  private static boolean isCold(List<Run> turns) {
    return Boolean.FALSE.equals(turns.get(0).warm());
  }

  /** Whether a system succeeded at least once. */
  boolean ran(String system) {
    return runs.stream()
        .anyMatch(run -> run.systems().contains(system) && !run.countedRuns(system).isEmpty());
  }

  /** Whether a run of a system failed, or the cargo that arrived differs from the sent one. */
  boolean failed(String system) {
    return runs.stream()
        .filter(run -> run.systems().contains(system))
        .anyMatch(
            run ->
                run.summary(system).counts().runsFailed() > 0
                    || run.countedRuns(system).stream()
                        .anyMatch(turn -> Boolean.FALSE.equals(turn.digestOk())));
  }
}
