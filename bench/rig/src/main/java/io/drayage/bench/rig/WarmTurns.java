package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Interval;
import io.drayage.bench.statistics.Medians;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of turns from the first one in which all systems were warm. CPU time alone decides
 * this: a busy machine changes it least, and it is not compared.
 *
 * @param runs of these rounds, and all failed runs; all runs if there are no such rounds
 * @param areWarm whether these rounds are at least {@link Interval#MIN_TURNS}, and half of all
 */
record WarmTurns(List<Run> runs, boolean areWarm) {
  /** The largest share of the compiler in the CPU time of a warm process. */
  static final double MAX_JIT_SHARE = 0.1;

  /** Number of last warm-up turns whose median must show that a system is warm. */
  private static final int LAST_TURNS = 3;

  /** The largest difference between the CPU time of the first measured turns and of the others. */
  private static final double MAX_DIFFERENCE = 0.15;

  /** Number of first turns: one turn alone may differ for other reasons. */
  private static final int FIRST_TURNS = 3;

  /**
   * Finds the warm rounds.
   *
   * @param runs all of them, in order
   */
  static WarmTurns of(List<Run> runs) {
    int rounds = runs.stream().mapToInt(Run::iteration).max().orElse(0);
    for (int cold = 0; rounds - cold >= Interval.MIN_TURNS && 2 * cold <= rounds; cold++) {
      int before = cold;
      List<Run> rest =
          runs.stream()
              .filter(run -> run.iteration() > before || run.status() == Status.FAILED)
              .toList();
      if (bySystem(rest).values().stream().allMatch(WarmTurns::wereWarm)) {
        return new WarmTurns(rest, true);
      }
    }
    return new WarmTurns(List.copyOf(runs), false);
  }

  /** Groups the successful turns by system; a system without one is left out. */
  private static Map<String, List<Run>> bySystem(List<Run> runs) {
    return runs.stream()
        .filter(run -> run.status() == Status.OK)
        .collect(Collectors.groupingBy(Run::system, LinkedHashMap::new, Collectors.toList()));
  }

  /**
   * Returns the systems that the last warm-up turns show to be cold, each with the compiler's
   * share; empty if all are warm.
   *
   * @param runs whole rounds of {@code systems} systems
   */
  static List<String> cold(List<Run> runs, int systems) {
    List<Run> last = runs.subList(Math.max(0, runs.size() - LAST_TURNS * systems), runs.size());
    List<String> cold = new ArrayList<>();
    bySystem(last)
        .forEach(
            (system, own) -> {
              double jitShare = Objects.requireNonNullElse(Medians.of(own, Run::jitShare), 0.0);
              if (jitShare > MAX_JIT_SHARE) {
                cold.add(format("%s (compiler %.0f %%)", system, 100 * jitShare));
              } else if (runs.size() < LAST_TURNS * systems) {
                cold.add(system);
              }
            });
    return cold;
  }

  private static boolean wereWarm(List<Run> ok) {
    Double firstJitShare = Medians.of(ok.subList(0, first(ok)), Run::jitShare);
    return whyCold(ok) == null && (firstJitShare == null || firstJitShare <= MAX_JIT_SHARE);
  }

  private static int first(List<Run> ok) {
    return Math.min(FIRST_TURNS, ok.size() / 2);
  }

  /** Returns why the measured turns show that a system was not warm; null if it was. */
  static @Nullable String whyCold(List<Run> ok) {
    Double jitShare = Medians.of(ok, Run::jitShare);
    if (ok.size() < 2 || jitShare == null) {
      return "too few turns to decide";
    }
    if (jitShare > MAX_JIT_SHARE) {
      return format("its JIT compiler used %.0f %% of the CPU time of its turns", 100 * jitShare);
    }
    int first = first(ok);
    double firstS = Objects.requireNonNull(Medians.of(ok.subList(0, first), Run::cpuS));
    double laterS = Objects.requireNonNull(Medians.of(ok.subList(first, ok.size()), Run::cpuS));
    double difference = Math.abs(firstS / laterS - 1);
    return difference > MAX_DIFFERENCE
        ? format("its first turns' CPU time differs by %.0f %% from later ones", 100 * difference)
        : null;
  }
}
