package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.statistics.PairedRatio;
import io.drayage.bench.system.Rung;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All runs of one system. Medians, spreads and peaks are over the runs that succeeded, without
 * disturbed ones if enough others remain; null if none succeeded. Jackson writes it unchanged.
 *
 * @param system the system's notation
 * @param status {@link Status#FAILED} if one run failed, {@link Status#SKIPPED} if there is none
 * @param figures times, bytes and CPU time
 * @param sq S+Q of the baseline over this system's
 * @param commit the whole commit of the baseline over this system's
 * @param downloadedCommit the ratio of the whole commits, if either downloads its snapshot
 * @param counts the numbers of turns
 * @param costs memory, and the busiest stage
 * @param phases the medians of the phases
 * @param binds the longest phase
 * @param commitOverSq the whole commit over S+Q, by their medians; null if the cargo only had to
 *     take effect
 * @param warmth the warmth of the processes
 * @param step the change, if it is the rung of a ladder
 */
public record Summary(
    String system,
    Status status,
    @JsonUnwrapped ResultFigures figures,
    @JsonUnwrapped(prefix = "sq") Speedup sq,
    @JsonUnwrapped(prefix = "commit") Speedup commit,
    @JsonUnwrapped(prefix = "downloadedCommit") Speedup downloadedCommit,
    @JsonUnwrapped Counts counts,
    @JsonUnwrapped Costs costs,
    Phases phases,
    @Nullable String binds,
    @Nullable Double commitOverSq,
    @JsonUnwrapped Warmth warmth,
    @JsonUnwrapped @Nullable Step step) {
  /**
   * The numbers of runs and turns.
   *
   * @param runsOk number of runs that succeeded
   * @param runsFailed number of runs that failed
   * @param turns number of turns of the speedups: they succeeded here and with the baseline
   * @param turnsDisturbed number of disturbed turns of this system
   * @param turnsLeftOut number of turns left out of the speedups because either was disturbed
   */
  public record Counts(
      int runsOk, int runsFailed, int turns, int turnsDisturbed, int turnsLeftOut) {}

  /**
   * Memory, and the busiest stage.
   *
   * @param workerBeyondCargoBytes the most memory of the worker beyond the cargo
   * @param transactorBeyondCargoBytes the most memory of the transactor beyond the cargo
   * @param busiest the stage with the highest median of {@link Run.Cost#utilisation}, and its
   *     value: {@code worker encode 93 % of 2 threads}
   */
  public record Costs(
      @Nullable Long workerBeyondCargoBytes,
      @Nullable Long transactorBeyondCargoBytes,
      @Nullable String busiest) {}

  /**
   * One turn of a group. Two runs of one turn ran under the same conditions of the machine.
   *
   * @param group the group's number, 1 if there is only one
   */
  private record TurnKey(int group, int iteration) {
    private static TurnKey of(Run run) {
      return new TurnKey(Objects.requireNonNullElse(run.group(), 1), run.iteration());
    }
  }

  /**
   * Returns one summary per system, in the given order. Each system is compared with the runs of
   * the baseline in the same group.
   *
   * @param baseline the system that the others are compared with, one of {@code systems}
   */
  public static List<Summary> of(List<String> systems, String baseline, Measurement measured) {
    return of(systems, baseline, measured, Map.of());
  }

  /**
   * Returns the summaries of systems of which some are rungs of a ladder.
   *
   * @param steps the changes of rungs, by the names of the systems
   */
  public static List<Summary> of(
      List<String> systems, String baseline, Measurement measured, Map<String, Step> steps) {
    return systems.stream()
        .map(system -> of(system, baseline, measured, steps.get(system)))
        .toList();
  }

  private static Summary of(
      String system, String baseline, Measurement measured, @Nullable Step step) {
    List<Run> all = of(system, measured.runs());
    List<Run> ok = all.stream().filter(run -> run.status() == Status.OK).toList();
    List<Run> counted = Run.counted(all);
    int failed = all.size() - ok.size();
    PairedRatio sq = ratio(system, baseline, measured.runs(), Run::sqS);
    PairedRatio commit = ratio(system, baseline, measured.runs(), Run::commitS);
    ResultFigures figures = ResultFigures.of(counted);
    Phases phases = Phases.medians(counted.stream().map(Run::phases).toList());
    BusiestStage busiest = BusiestStage.of(counted);
    return new Summary(
        system,
        status(ok, all),
        figures,
        Speedup.of(sq),
        Speedup.of(commit),
        Speedup.of(ratio(system, baseline, measured.runs(), Run::downloadedCommitS)),
        new Counts(
            ok.size(),
            failed,
            sq == null ? 0 : sq.turns(),
            (int) ok.stream().filter(Run::disturbed).count(),
            sq == null ? 0 : sq.leftOut()),
        new Costs(
            max(counted, run -> run.cost().workerBeyondCargoBytes()),
            max(counted, run -> run.cost().transactorBeyondCargoBytes()),
            busiest == null ? null : busiest.toString()),
        phases,
        phases.byName().entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(null),
        phases.loadS() == null
            ? null
            : ResultFigures.quotient(figures.commitMedianS(), figures.sqMedianS()),
        measured.warmth().getOrDefault(system, Warmth.UNKNOWN),
        step);
  }

  private static Status status(List<Run> ok, List<Run> all) {
    if (all.isEmpty()) {
      return Status.SKIPPED;
    }
    return ok.size() < all.size() ? Status.FAILED : Status.OK;
  }

  /**
   * Returns one summary per rung of a ladder, in their order.
   *
   * @param skipped rungs that this machine cannot run, with the reasons
   */
  public static List<Summary> ofRungs(
      List<Rung> rungs, Map<String, String> skipped, Measurement measured) {
    List<String> names = rungs.stream().map(Rung::name).toList();
    List<Summary> summaries = new ArrayList<>();
    for (Rung rung : rungs) {
      Integer over = rung.isFirst() ? null : (Integer) (names.indexOf(rung.over()) + 1);
      Speedup gain =
          rung.isFirst()
              ? Speedup.NONE
              : speedup(
                  rung.name(),
                  rung.over(),
                  measured.runs(),
                  rung.isShipmentAlone() ? Run::sqS : Run::commitS);
      summaries.add(
          of(
              rung.name(),
              names.get(0),
              measured,
              Step.of(rung, summaries.size() + 1, over, gain, skipped.get(rung.name()))));
    }
    return List.copyOf(summaries);
  }

  private static List<Run> of(String system, List<Run> runs) {
    return runs.stream().filter(run -> run.system().equals(system)).toList();
  }

  /**
   * Returns the time of the baseline over that of a system; null if nothing is comparable, or if
   * either failed and too few turns remain.
   */
  private static @Nullable PairedRatio ratio(
      String system, String baseline, List<Run> runs, Function<Run, @Nullable Double> time) {
    List<Run> own = of(system, runs);
    Set<@Nullable Integer> groups =
        own.stream().map(Run::group).collect(Collectors.toCollection(HashSet::new));
    List<Run> base =
        of(baseline, runs).stream().filter(run -> groups.contains(run.group())).toList();
    PairedRatio ratio = ratio(base, own, time);
    boolean isComplete =
        own.stream().allMatch(run -> run.status() == Status.OK)
            && base.stream().allMatch(run -> run.status() == Status.OK);
    return ratio == null || isComplete || ratio.interval() != null ? ratio : null;
  }

  /**
   * Returns the factor by which one system is faster than another, from the turns of both.
   *
   * @param time S+Q or the commit
   */
  static Speedup speedup(
      String system, String over, List<Run> runs, Function<Run, @Nullable Double> time) {
    return Speedup.of(ratio(system, over, runs, time));
  }

  /** Returns the ratio of the times of two sets of runs, from the turns in which both succeeded. */
  public static @Nullable PairedRatio ratio(
      List<Run> numerators, List<Run> denominators, Function<Run, @Nullable Double> time) {
    return PairedRatio.of(turns(numerators, time), turns(denominators, time));
  }

  private static Map<TurnKey, PairedRatio.Turn> turns(
      List<Run> runs, Function<Run, @Nullable Double> time) {
    Map<TurnKey, PairedRatio.Turn> turns = new HashMap<>();
    for (Run run : runs) {
      Double seconds = time.apply(run);
      if (run.status() == Status.OK && seconds != null) {
        turns.put(TurnKey.of(run), new PairedRatio.Turn(seconds, run.disturbed()));
      }
    }
    return turns;
  }

  /**
   * Whether more turns would change little: the intervals of all ratios to the baseline, of S+Q and
   * of commits, are narrow. A system that never succeeded is ignored.
   *
   * @param runs the runs so far, of one group
   */
  public static boolean isSettled(String baseline, List<Run> runs) {
    return runs.stream()
        .map(Run::system)
        .distinct()
        .allMatch(
            system ->
                isSettled(system, baseline, runs, Run::sqS)
                    && isSettled(system, baseline, runs, Run::commitS));
  }

  private static boolean isSettled(
      String system, String baseline, List<Run> runs, Function<Run, @Nullable Double> time) {
    PairedRatio ratio = ratio(of(baseline, runs), of(system, runs), time);
    return ratio == null || ratio.isSettled();
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

  /**
   * Returns the median of the whole commit with a download of the snapshot; null unless it was
   * timed beside a commit without a download.
   */
  public @Nullable Double downloadedBesideMedianS() {
    Double downloaded = figures.downloadedCommitMedianS();
    return Objects.equals(downloaded, figures.commitMedianS()) ? null : downloaded;
  }

  public @Nullable Double sqSpeedup() {
    return sq.times();
  }

  public @Nullable Double commitSpeedup() {
    return commit.times();
  }
}
