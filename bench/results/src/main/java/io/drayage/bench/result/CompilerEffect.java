package io.drayage.bench.result;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The change that the JIT compiler could still cause in the ratio of two systems. */
final class CompilerEffect {
  private CompilerEffect() {}

  /**
   * Returns the largest change that the turns leave possible, relative to the ratio of S+Q. Two
   * parts cause it. The compiler threads use CPU time that the system would have for itself. Code
   * that is compiled meanwhile changes the ratio between the first half of the turns and the
   * second.
   *
   * @param runs of all systems
   * @return null if the turns are too few, or the compiler was not measured
   */
  static @Nullable Double most(Summary system, Summary baseline, List<Run> runs) {
    Double ownShare = system.figures().jitShare();
    Double baseShare = baseline.figures().jitShare();
    int[] rounds = runs.stream().mapToInt(Run::iteration).sorted().distinct().toArray();
    if (ownShare == null || baseShare == null) {
      return null;
    }
    int second = rounds[rounds.length / 2];
    Double early = ratio(system, baseline, runs, run -> run.iteration() < second);
    Double late = ratio(system, baseline, runs, run -> run.iteration() >= second);
    double share = Math.max(ownShare, baseShare);
    if (early == null || late == null || share >= 1) {
      return null;
    }
    return Math.max(early / late, late / early) / (1 - share) - 1;
  }

  private static @Nullable Double ratio(
      Summary system, Summary baseline, List<Run> runs, Predicate<Run> which) {
    List<Run> half = runs.stream().filter(which).toList();
    return Summary.speedup(system.system(), baseline.system(), half, Run::sqS).times();
  }
}
