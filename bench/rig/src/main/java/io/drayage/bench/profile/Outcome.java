package io.drayage.bench.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Interval;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of an experiment. Serialized by Jackson; null where not measured.
 *
 * @param system the system with the suspect
 * @param suspect its id
 * @param change that removes the suspect
 * @param decisive whether the experiment decides about the suspect
 * @param withS S+Q in seconds of each turn with the suspect
 * @param withoutS S+Q in seconds of the same turns without the suspect
 * @param gain the share of S+Q that the change saved
 * @param low lower end of the gain's 95 % interval
 * @param high upper end
 * @param finding {@code guilty}, {@code not guilty}, {@code cannot be told}, or why there is none
 */
public record Outcome(
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
  /** The least share of S+Q that is worth a change. */
  static final double THRESHOLD = 0.05;

  private static final String GUILTY = "guilty";
  private static final String NOT_GUILTY = "not guilty";
  private static final String OPEN = "cannot be told";

  static Outcome of(Experiment experiment, List<Run> runs) {
    String base = experiment.rung().over();
    String changed = experiment.rung().name();
    String failure =
        runs.stream()
            .filter(run -> run.system().equals(base) || run.system().equals(changed))
            .filter(run -> run.status() == Status.FAILED)
            .map(Run::error)
            .findFirst()
            .orElse(null);
    Map<Integer, Double> with = sqByIteration(runs, base);
    Map<Integer, Double> without = sqByIteration(runs, changed);
    with.keySet().retainAll(without.keySet());
    without.keySet().retainAll(with.keySet());
    Outcome unjudged =
        new Outcome(
            base,
            experiment.suspect(),
            experiment.rung().change(),
            experiment.decisive(),
            List.copyOf(with.values()),
            List.copyOf(without.values()),
            null,
            null,
            null,
            failure == null ? "too few turns" : "failed: " + failure);
    return failure == null && with.size() >= Interval.MIN_TURNS ? unjudged.judged() : unjudged;
  }

  private static Map<Integer, Double> sqByIteration(List<Run> runs, String system) {
    Map<Integer, Double> times = new TreeMap<>();
    for (Run run : runs) {
      if (run.system().equals(system) && run.sqS() != null) {
        times.putIfAbsent(run.iteration(), run.sqS());
      }
    }
    return times;
  }

  /**
   * Judges by the interval of the turns' ratios, of at least {@link Interval#MIN_TURNS} turns. A
   * suspect is acquitted only if the upper end is below the threshold: it bounds the gain that the
   * turns may have missed.
   */
  Outcome judged() {
    Interval left = Interval.ofPairedRatio(withoutS, withS);
    double newGain = 1 - left.estimate();
    double newLow = 1 - left.high();
    double newHigh = 1 - left.low();
    return new Outcome(
        system,
        suspect,
        change,
        decisive,
        withS,
        withoutS,
        newGain,
        newLow,
        newHigh,
        newLow > 0 && newGain >= THRESHOLD ? GUILTY : newHigh < THRESHOLD ? NOT_GUILTY : OPEN);
  }

  @JsonIgnore
  boolean isGuilty() {
    return finding.equals(GUILTY);
  }

  /** Checks whether more turns are useless: it is guilty, or the upper end acquits it. */
  @JsonIgnore
  boolean isSettled() {
    return isGuilty() || (high != null && high < THRESHOLD);
  }

  /** Returns the finding, with the cost or the upper bound of the cost. */
  String verdict() {
    return gain == null
        ? finding
        : String.format(
            Locale.ROOT,
            isGuilty() ? "%s (%.0f %% of S+Q)" : "%s (at most %.0f %%)",
            finding,
            100 * Math.max(0, isGuilty() ? gain : Objects.requireNonNull(high)));
  }
}
