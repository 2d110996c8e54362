package io.drayage.bench.profile;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment showed. Jackson writes it as it is; what was not measured is null.
 *
 * @param system the system with the suspect
 * @param suspect its id
 * @param change what was changed to take it away
 * @param decisive whether the experiment decides about the suspect
 * @param withS S+Q of each turn with it
 * @param withoutS S+Q of the same turns without it
 * @param gain the part of S+Q that went away
 * @param low the lower end of its 95 % interval
 * @param high the upper end
 * @param finding {@code guilty}, {@code not guilty}, {@code undecided}, or why there is none
 */
record Outcome(
    String system,
    String suspect,
    String change,
    boolean decisive,
    List<Double> withS,
    List<Double> withoutS,
    @Nullable Double gain,
    @Nullable Double low,
    @Nullable Double high,
    String finding) {
  static Outcome of(Experiment experiment, List<Run> runs) {
    String system = experiment.rung().over();
    List<Double> with = new ArrayList<>();
    List<Double> without = new ArrayList<>();
    String failure = null;
    for (Run run : runs) {
      boolean concerned =
          run.system().equals(system) || run.system().equals(experiment.rung().name());
      if (concerned && run.status() == Status.FAILED && failure == null) {
        failure = run.error();
      }
      if (!run.system().equals(experiment.rung().name())) {
        continue;
      }
      Run base =
          runs.stream()
              .filter(other -> other.system().equals(system))
              .filter(other -> other.iteration() == run.iteration())
              .findFirst()
              .orElse(null);
      if (base == null) {
        continue;
      }
      Double withS = base.sqS();
      Double withoutS = run.sqS();
      if (withS != null && withoutS != null) {
        with.add(withS);
        without.add(withoutS);
      }
    }
    String suspect = experiment.suspect();
    String change = experiment.rung().change();
    boolean decisive = experiment.decisive();
    if (failure != null || with.size() < Interval.MIN_TURNS) {
      String why = failure == null ? "too few iterations" : "failed: " + failure;
      return new Outcome(system, suspect, change, decisive, with, without, null, null, null, why);
    }
    Verdict verdict = Verdict.of(with, without);
    return new Outcome(
        system,
        suspect,
        change,
        decisive,
        with,
        without,
        verdict.gain(),
        verdict.low(),
        verdict.high(),
        verdict.finding().words());
  }
}
