package io.drayage.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
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
    int runsFailed) {

  /**
   * One summary for each system, in the given order.
   *
   * @param baseline the system that the others are compared with, one of {@code systems}
   */
  public static List<Summary> of(List<String> systems, String baseline, List<Run> runs) {
    Summary base = ofSystem(baseline, runs);
    List<Summary> summaries = new ArrayList<>();
    for (String system : systems) {
      summaries.add(ofSystem(system, runs).comparedWith(base));
    }
    return List.copyOf(summaries);
  }

  private static Summary ofSystem(String system, List<Run> runs) {
    List<Run> all = runs.stream().filter(run -> run.system().equals(system)).toList();
    List<Run> ok = all.stream().filter(run -> run.status() == Status.OK).toList();
    Double sq = Medians.of(values(ok, Run::sqS));
    Double wire = Medians.of(values(ok, Run::wireBytes));
    Double raw = Medians.of(values(ok, Run::rawBytes));
    List<Double> sqSorted = values(ok, Run::sqS).stream().sorted().toList();
    return new Summary(
        system,
        ok.isEmpty() || ok.size() < all.size() ? Status.FAILED : Status.OK,
        sq,
        Medians.of(values(ok, Run::commitS)),
        sq == null || raw == null ? null : raw / sq / 1e6,
        wire == null ? null : Math.round(wire),
        wire == null || raw == null ? null : raw / wire,
        null,
        null,
        sqSorted.isEmpty() ? null : sqSorted.get(0),
        sqSorted.isEmpty() ? null : sqSorted.get(sqSorted.size() - 1),
        Medians.of(values(ok, Run::cpuS)),
        max(ok, Run::workerBeyondCargoBytes),
        max(ok, Run::transactorBeyondCargoBytes),
        busiest(ok),
        ok.size(),
        all.size() - ok.size());
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
        runsFailed);
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
