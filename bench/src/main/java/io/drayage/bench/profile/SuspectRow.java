package io.drayage.bench.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.drayage.profiling.FrameRules.Kind;
import io.drayage.profiling.FrameRules.Rule;
import io.drayage.profiling.Shares;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one suspect, or of one of those that nobody suspects, in one system. Jackson
 * writes it as it is. Shares are parts of 1; those of all rows of a system add up to 1, column by
 * column, except the ones "under", which count what the suspect calls as well.
 *
 * @param kind {@code study}, {@code ours} or {@code other}
 * @param worker the shares on the worker
 * @param transactor the shares on the transactor
 * @param change what the deciding experiment changed; null if there is none
 * @param gain the part of S+Q that went away with the suspect
 * @param low the lower end of its 95 % interval
 * @param high the upper end
 * @param boundOfSq its processor time of both ends, with all that it calls: a part of S+Q, and the
 *     most that taking it away could save, but for what waits on it; null if an experiment tells,
 *     nobody suspects it, or the processor was not sampled
 * @param verdict the finding in words; empty if nobody suspects it
 */
public record SuspectRow(
    String system,
    String suspect,
    String kind,
    String label,
    Side worker,
    Side transactor,
    @Nullable String change,
    @Nullable Double gain,
    @Nullable Double low,
    @Nullable Double high,
    @Nullable Double boundOfSq,
    String verdict) {
  /** The shares of one end. */
  record Side(double cpu, double cpuUnder, double waiting, double waitingUnder) {
    static Side of(Shares.Row row) {
      return new Side(row.cpu(), row.cpuUnder(), row.waiting(), row.waitingUnder());
    }

    private Side plus(Side other) {
      return new Side(
          cpu + other.cpu,
          cpuUnder + other.cpuUnder,
          waiting + other.waiting,
          waitingUnder + other.waitingUnder);
    }

    private boolean isNothing() {
      return cpu == 0 && cpuUnder == 0 && waiting == 0 && waitingUnder == 0;
    }

    private boolean isBelow(double limit) {
      return cpu < limit && waiting < limit;
    }
  }

  /** How the verdict on a guilty suspect begins. */
  static final String GUILTY = "guilty";

  /**
   * Judges a suspect by its deciding experiment, or else by its share of the processor time.
   *
   * @param isVisible whether the samples could show it
   * @param sqS the median of S+Q, without the profiler; null if there is none
   * @param outcomes of the system's experiments
   */
  static SuspectRow of(
      Rule rule,
      ProfiledEnd worker,
      ProfiledEnd transactor,
      boolean isVisible,
      @Nullable Double sqS,
      List<Outcome> outcomes) {
    Outcome deciding =
        outcomes.stream()
            .filter(outcome -> outcome.suspect().equals(rule.id()) && outcome.decisive())
            .findFirst()
            .orElse(null);
    SuspectRow row =
        new SuspectRow(
            worker.system(),
            rule.id(),
            rule.kind().name().toLowerCase(Locale.ROOT),
            rule.label(),
            Side.of(worker.shares().row(rule)),
            Side.of(transactor.shares().row(rule)),
            deciding == null ? null : deciding.change(),
            deciding == null ? null : deciding.gain(),
            deciding == null ? null : deciding.low(),
            deciding == null ? null : deciding.high(),
            null,
            deciding == null ? "" : words(deciding));
    if (rule.kind() == Kind.OTHER || deciding != null) {
      return row;
    }
    boolean sampled = isVisible && worker.shares().cpuNs() > 0 && transactor.shares().cpuNs() > 0;
    if (sqS == null || !sampled) {
      return row.bounded(null, "not measured");
    }
    // The ends may work one after the other, so what both would save counts.
    double bound =
        (row.worker.cpuUnder * worker.cpuS() + row.transactor.cpuUnder * transactor.cpuS()) / sqS;
    String pattern =
        bound < Outcome.THRESHOLD ? "not guilty (at most %.0f %%)" : "undecided (at most %.0f %%)";
    return row.bounded(
        bound,
        row.isNothing()
            ? "not there"
            : String.format(Locale.ROOT, pattern, 100 * Math.min(1, bound)));
  }

  private static String words(Outcome outcome) {
    Double gain = outcome.gain();
    return gain == null || !outcome.finding().equals(GUILTY)
        ? outcome.finding()
        : String.format(Locale.ROOT, "guilty (%.0f %% of S+Q)", 100 * gain);
  }

  private SuspectRow bounded(@Nullable Double bound, String newVerdict) {
    return new SuspectRow(
        system,
        suspect,
        kind,
        label,
        worker,
        transactor,
        change,
        gain,
        low,
        high,
        bound,
        newVerdict);
  }

  /** Replaces the label. */
  SuspectRow named(String newLabel) {
    return new SuspectRow(
        system,
        suspect,
        kind,
        newLabel,
        worker,
        transactor,
        change,
        gain,
        low,
        high,
        boundOfSq,
        verdict);
  }

  /** Adds the shares of another row. */
  SuspectRow plus(SuspectRow other) {
    return new SuspectRow(
        system,
        suspect,
        kind,
        label,
        worker.plus(other.worker),
        transactor.plus(other.transactor),
        change,
        gain,
        low,
        high,
        boundOfSq,
        verdict);
  }

  /** Whether its own shares are all below a limit. */
  boolean isBelow(double limit) {
    return worker.isBelow(limit) && transactor.isBelow(limit);
  }

  /** Whether it takes nothing anywhere, not even with what it calls. */
  @JsonIgnore
  boolean isNothing() {
    return worker.isNothing() && transactor.isNothing();
  }

  @JsonIgnore
  boolean isGuilty() {
    return verdict.startsWith(GUILTY);
  }
}
