package io.drayage.bench.result;

import io.drayage.bench.statistics.Medians;
import io.drayage.bench.statistics.PairedRatio;
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
  static @Nullable Double most(String system, String baseline, List<Run> runs) {
    List<Run> own = of(system, runs);
    List<Run> base = of(baseline, runs);
    Double ownShare = Medians.of(own, Run::jitShare);
    Double baseShare = Medians.of(base, Run::jitShare);
    int[] rounds = own.stream().mapToInt(Run::iteration).sorted().distinct().toArray();
    if (ownShare == null || baseShare == null || rounds.length < 2) {
      return null;
    }
    int second = rounds[rounds.length / 2];
    Double early = ratio(base, own, run -> run.iteration() < second);
    Double late = ratio(base, own, run -> run.iteration() >= second);
    double share = Math.max(ownShare, baseShare);
    if (early == null || late == null || share >= 1) {
      return null;
    }
    return Math.max(early / late, late / early) / (1 - share) - 1;
  }

  private static List<Run> of(String system, List<Run> runs) {
    return runs.stream()
        .filter(run -> run.system().equals(system) && run.status() == Status.OK)
        .toList();
  }

  private static @Nullable Double ratio(List<Run> base, List<Run> own, Predicate<Run> which) {
    PairedRatio ratio =
        Summary.ratio(
            base.stream().filter(which).toList(), own.stream().filter(which).toList(), Run::sqS);
    return ratio == null ? null : (Double) ratio.estimate();
  }
}
