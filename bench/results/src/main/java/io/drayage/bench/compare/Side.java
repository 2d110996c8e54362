package io.drayage.bench.compare;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.report.ReportRun;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
      List<Double> launches = metric.launches(run, system);
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
  static List<List<Run>> launches(ReportRun run, String system) {
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

  static boolean isCold(List<Run> turns) {
    return Boolean.FALSE.equals(turns.get(0).warm());
  }

  /** Whether a system succeeded at least once. */
  boolean ran(String system) {
    return runs.stream()
        .anyMatch(run -> run.systems().contains(system) && !run.countedRuns(system).isEmpty());
  }

  /** Whether a run of a system failed. */
  boolean failed(String system) {
    return runs.stream().flatMap(run -> turns(run, system)).anyMatch(turn -> !isOk(turn));
  }

  /** Whether another cargo than the sent one arrived in a turn of a system. */
  boolean corrupted(String system) {
    return runs.stream().flatMap(run -> turns(run, system)).anyMatch(Side::isCorrupt);
  }

  static boolean isCorrupt(Run turn) {
    return Boolean.FALSE.equals(turn.digestOk());
  }

  private static boolean isOk(Run turn) {
    return turn.status() == Status.OK;
  }

  private static Stream<Run> turns(ReportRun run, String system) {
    return run.runs().stream().filter(turn -> turn.system().equals(system));
  }

  /** Returns the numbers of raw bytes of a system's cargoes. */
  Set<Long> rawBytes(String system) {
    return runs.stream()
        .flatMap(run -> run.countedRuns(system).stream())
        .map(Run::rawBytes)
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the runs without a system, and the turns in which others succeeded that a run lacks of
   * it, in words. Says nothing of a system that the side has not at all.
   *
   * @param which the name of the side
   */
  List<String> gaps(String system, String which) {
    List<String> gaps = new ArrayList<>();
    for (ReportRun run : runs) {
      Set<List<@Nullable Integer>> own =
          turns(run, system).map(ComparedMetric::turn).collect(Collectors.toSet());
      Set<@Nullable Integer> groups =
          turns(run, system).map(Run::group).collect(Collectors.toCollection(HashSet::new));
      if (own.isEmpty()) {
        gaps.add("%s is missing in %s of %s".formatted(system, run.file(), which));
      }
      run.runs().stream()
          .filter(turn -> isOk(turn) && groups.contains(turn.group()))
          .filter(turn -> !own.contains(ComparedMetric.turn(turn)))
          .map(Run::iteration)
          .distinct()
          .forEach(
              iteration ->
                  gaps.add(
                      format(
                          "%s lacks iteration %d in %s of %s",
                          system, iteration, run.file(), which)));
    }
    return gaps;
  }
}
