package io.drayage.bench.result;

import io.drayage.bench.statistics.Medians;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All runs of one system. Medians, spreads and peaks are over the runs that went well, null if none
 * did. Jackson writes it as it is.
 *
 * @param system the system's notation
 * @param status {@link Status#FAILED} if one run failed
 * @param sqMedianS median of S+Q in seconds
 * @param commitMedianS median of the whole commit in seconds
 * @param rawMBps raw bytes per second of the median S+Q, in MB/s (10^6)
 * @param wireBytes median of the bytes sent
 * @param ratio raw bytes per byte sent
 * @param sqSpeedup how many times as fast as the baseline by the medians of S+Q; null if this
 *     system or the baseline failed
 * @param commitSpeedup the same by the medians of the commit
 * @param sqMinS the fastest S+Q
 * @param sqMaxS the slowest S+Q
 * @param cpuMedianS median of the processor time of both processes
 * @param workerBeyondCargoBytes the most memory of the worker beyond the cargo
 * @param transactorBeyondCargoBytes the most memory of the transactor beyond the cargo
 * @param busiest the stage with the highest median of {@link Run#utilisation}, and how high it is:
 *     {@code worker encode 93 % of 2 threads}
 * @param runsOk how many runs went well
 * @param runsFailed how many did not
 * @param phases the medians of the phases
 * @param binds the longest of them
 * @param diskMedianS median of the time in which the disk took as many bytes with fsync
 * @param commitOverSq the whole commit over S+Q, by their medians; null if the cargo only had to
 *     take effect
 * @param commitOverBound the whole commit over the larger of S+Q and the disk's time
 */
public record Summary(
    String system,
    Status status,
    @Nullable Double sqMedianS,
    @Nullable Double commitMedianS,
    @Nullable Double rawMBps,
    @Nullable Long wireBytes,
    @Nullable Double ratio,
    @Nullable Double sqSpeedup,
    @Nullable Double commitSpeedup,
    @Nullable Double sqMinS,
    @Nullable Double sqMaxS,
    @Nullable Double cpuMedianS,
    @Nullable Long workerBeyondCargoBytes,
    @Nullable Long transactorBeyondCargoBytes,
    @Nullable String busiest,
    int runsOk,
    int runsFailed,
    Phases phases,
    @Nullable String binds,
    @Nullable Double diskMedianS,
    @Nullable Double commitOverSq,
    @Nullable Double commitOverBound) {

  /**
   * One summary for each system, in the given order. Systems are compared with the runs of the
   * baseline that took turns with them.
   *
   * @param baseline the system that the others are compared with, one of {@code systems}
   */
  public static List<Summary> of(List<String> systems, String baseline, List<Run> runs) {
    List<Summary> summaries = new ArrayList<>();
    for (String system : systems) {
      Set<@Nullable Integer> groups =
          runs.stream()
              .filter(run -> run.system().equals(system))
              .map(Run::group)
              .collect(Collectors.toCollection(HashSet::new));
      List<Run> sameTurns = runs.stream().filter(run -> groups.contains(run.group())).toList();
      summaries.add(ofSystem(system, runs).comparedWith(ofSystem(baseline, sameTurns)));
    }
    return List.copyOf(summaries);
  }

  private static Summary ofSystem(String system, List<Run> runs) {
    List<Run> all = runs.stream().filter(run -> run.system().equals(system)).toList();
    List<Run> ok = all.stream().filter(run -> run.status() == Status.OK).toList();
    Double sq = Medians.of(ok, Run::sqS);
    Double commit = Medians.of(ok, Run::commitS);
    Double disk = Medians.of(ok, Run::diskS);
    Phases phases = Phases.medians(ok.stream().map(Run::phases).toList());
    Double wire = Medians.of(ok, Run::wireBytes);
    Double raw = Medians.of(ok, Run::rawBytes);
    List<Double> sqSorted = values(ok, Run::sqS).stream().sorted().toList();
    return new Summary(
        system,
        ok.isEmpty() || ok.size() < all.size() ? Status.FAILED : Status.OK,
        sq,
        commit,
        sq == null || raw == null ? null : raw / sq / 1e6,
        wire == null ? null : Math.round(wire),
        wire == null || raw == null ? null : raw / wire,
        null,
        null,
        sqSorted.isEmpty() ? null : sqSorted.get(0),
        sqSorted.isEmpty() ? null : sqSorted.get(sqSorted.size() - 1),
        Medians.of(ok, Run::cpuS),
        max(ok, Run::workerBeyondCargoBytes),
        max(ok, Run::transactorBeyondCargoBytes),
        busiest(ok),
        ok.size(),
        all.size() - ok.size(),
        phases,
        longest(phases),
        disk,
        phases.loadS() == null ? null : quotient(commit, sq),
        disk == null || sq == null ? null : quotient(commit, Math.max(sq, disk)));
  }

  private static @Nullable String longest(Phases phases) {
    return phases.byName().entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  private Summary comparedWith(Summary baseline) {
    boolean comparable = status == Status.OK && baseline.status == Status.OK;
    return new Summary(
        system,
        status,
        sqMedianS,
        commitMedianS,
        rawMBps,
        wireBytes,
        ratio,
        comparable ? quotient(baseline.sqMedianS, sqMedianS) : null,
        comparable ? quotient(baseline.commitMedianS, commitMedianS) : null,
        sqMinS,
        sqMaxS,
        cpuMedianS,
        workerBeyondCargoBytes,
        transactorBeyondCargoBytes,
        busiest,
        runsOk,
        runsFailed,
        phases,
        binds,
        diskMedianS,
        commitOverSq,
        commitOverBound);
  }

  private static @Nullable String busiest(List<Run> ok) {
    BusiestStage stage = BusiestStage.of(ok);
    return stage == null ? null : stage.toString();
  }

  private static @Nullable Double quotient(@Nullable Double baseline, @Nullable Double own) {
    return baseline == null || own == null ? null : baseline / own;
  }

  private static List<Double> values(List<Run> runs, Function<Run, @Nullable Number> field) {
    return runs.stream().map(field).filter(Objects::nonNull).map(Number::doubleValue).toList();
  }

  private static @Nullable Long max(List<Run> runs, Function<Run, @Nullable Long> field) {
    return runs.stream().map(field).filter(Objects::nonNull).max(Long::compare).orElse(null);
  }
}
