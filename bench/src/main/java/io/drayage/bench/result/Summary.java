package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
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
 * did. Written by Jackson as it is.
 *
 * @param system the system's notation
 * @param status {@link Status#FAILED} if one run failed
 * @param figures times, bytes and speedups
 * @param workerBeyondCargoBytes the most memory of the worker beyond the cargo
 * @param transactorBeyondCargoBytes the most memory of the transactor beyond the cargo
 * @param busiest the stage with the highest median of {@link Run#utilisation}, and how high it is:
 *     {@code worker encode 93 % of 2 threads}
 * @param runsOk how many runs went well
 * @param runsFailed how many did not
 * @param phases the medians of the phases
 * @param bounds what bounds the commit
 */
public record Summary(
    String system,
    Status status,
    @JsonUnwrapped Figures figures,
    @Nullable Long workerBeyondCargoBytes,
    @Nullable Long transactorBeyondCargoBytes,
    @Nullable String busiest,
    int runsOk,
    int runsFailed,
    Phases phases,
    @JsonUnwrapped Bounds bounds) {
  /**
   * What bounds the commit.
   *
   * @param binds the longest phase
   * @param diskMedianS median of the time in which the disk took as many bytes with fsync
   * @param commitOverSq the whole commit over S+Q, by their medians; null if the cargo only had to
   *     take effect
   * @param commitOverBound the whole commit over the larger of S+Q and the disk's time
   */
  public record Bounds(
      @Nullable String binds,
      @Nullable Double diskMedianS,
      @Nullable Double commitOverSq,
      @Nullable Double commitOverBound) {}

  /**
   * One summary per system, in the given order. Systems are compared with the runs of the baseline
   * that took turns with them.
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
    Figures figures = Figures.of(ok);
    Phases phases = Phases.medians(ok.stream().map(Run::phases).toList());
    BusiestStage busiest = BusiestStage.of(ok);
    return new Summary(
        system,
        ok.isEmpty() || ok.size() < all.size() ? Status.FAILED : Status.OK,
        figures,
        max(ok, Run::workerBeyondCargoBytes),
        max(ok, Run::transactorBeyondCargoBytes),
        busiest == null ? null : busiest.toString(),
        ok.size(),
        all.size() - ok.size(),
        phases,
        bounds(figures, phases, Medians.of(ok, Run::diskS)));
  }

  private static Bounds bounds(Figures figures, Phases phases, @Nullable Double disk) {
    Double sq = figures.sqMedianS();
    Double commit = figures.commitMedianS();
    return new Bounds(
        phases.byName().entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(null),
        disk,
        phases.loadS() == null ? null : Figures.quotient(commit, sq),
        disk == null || sq == null ? null : Figures.quotient(commit, Math.max(sq, disk)));
  }

  private Summary comparedWith(Summary baseline) {
    boolean comparable = status == Status.OK && baseline.status == Status.OK;
    return comparable
        ? new Summary(
            system,
            status,
            figures.over(baseline.figures),
            workerBeyondCargoBytes,
            transactorBeyondCargoBytes,
            busiest,
            runsOk,
            runsFailed,
            phases,
            bounds)
        : this;
  }

  private static @Nullable Long max(List<Run> runs, Function<Run, @Nullable Long> field) {
    return runs.stream().map(field).filter(Objects::nonNull).max(Long::compare).orElse(null);
  }

  public @Nullable Double sqMedianS() {
    return figures.sqMedianS();
  }

  public @Nullable Double commitMedianS() {
    return figures.commitMedianS();
  }

  public @Nullable Double rawMBps() {
    return figures.rawMBps();
  }

  public @Nullable Long wireBytes() {
    return figures.wireBytes();
  }

  public @Nullable Double ratio() {
    return figures.ratio();
  }

  public @Nullable Double sqSpeedup() {
    return figures.sqSpeedup();
  }

  public @Nullable Double commitSpeedup() {
    return figures.commitSpeedup();
  }

  public @Nullable Double sqMinS() {
    return figures.sqMinS();
  }

  public @Nullable Double sqMaxS() {
    return figures.sqMaxS();
  }

  public @Nullable Double cpuMedianS() {
    return figures.cpuMedianS();
  }

  public @Nullable String binds() {
    return bounds.binds;
  }

  public @Nullable Double diskMedianS() {
    return bounds.diskMedianS;
  }

  public @Nullable Double commitOverSq() {
    return bounds.commitOverSq;
  }

  public @Nullable Double commitOverBound() {
    return bounds.commitOverBound;
  }
}
