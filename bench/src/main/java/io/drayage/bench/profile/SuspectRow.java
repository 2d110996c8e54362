package io.drayage.bench.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.profiling.FrameRules.Kind;
import io.drayage.profiling.FrameRules.Rule;
import io.drayage.profiling.Shares;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One suspect, or something unsuspected, in one system. Serialized by Jackson. Shares are parts of
 * 1; those of all rows of a system add up to 1, column by column, except the ones "under", which
 * include everything that the suspect calls.
 *
 * @param kind {@code study}, {@code ours} or {@code other}
 * @param worker the shares on the worker
 * @param transactor the shares on the transactor
 */
public record SuspectRow(
    String system,
    String suspect,
    String kind,
    String label,
    Side worker,
    Side transactor,
    @JsonUnwrapped Judgement judgement) {
  private static final String GUILTY = "guilty";

  /** The shares of one end. */
  record Side(double cpu, double cpuUnder, double waiting, double waitingUnder) {
    private static Side of(Shares.Row row) {
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

  /**
   * What is known of a suspect's guilt.
   *
   * @param change of the deciding experiment; null without one
   * @param gain the part of S+Q that went away with the suspect
   * @param low the lower end of its 95 % interval
   * @param high the upper end
   * @param boundOfSq without an experiment: the suspect's processor time at both ends, with all
   *     that it calls, as a part of S+Q. Removing it can save no more, but for what waits for it
   * @param verdict in words; empty for what is not suspected
   */
  record Judgement(
      @Nullable String change,
      @Nullable Double gain,
      @Nullable Double low,
      @Nullable Double high,
      @Nullable Double boundOfSq,
      String verdict) {
    private static Judgement of(Outcome outcome) {
      Double gain = outcome.gain();
      return new Judgement(
          outcome.change(),
          gain,
          outcome.low(),
          outcome.high(),
          null,
          gain == null || !outcome.finding().equals(GUILTY)
              ? outcome.finding()
              : String.format(Locale.ROOT, "%s (%.0f %% of S+Q)", GUILTY, 100 * gain));
    }

    private static Judgement bound(@Nullable Double bound, String verdict) {
      return new Judgement(null, null, null, null, bound, verdict);
    }
  }

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
    Side onWorker = Side.of(worker.shares().row(rule));
    Side onTransactor = Side.of(transactor.shares().row(rule));
    boolean isSampled = worker.shares().cpuNs() > 0 && transactor.shares().cpuNs() > 0;
    // The ends may work one after the other, so what both would save counts.
    Double bound =
        sqS == null || !isVisible || !isSampled
            ? null
            : (Double)
                ((onWorker.cpuUnder * worker.cpuS() + onTransactor.cpuUnder * transactor.cpuS())
                    / sqS);
    boolean isThere = !onWorker.isNothing() || !onTransactor.isNothing();
    return new SuspectRow(
        worker.system(),
        rule.id(),
        rule.kind().name().toLowerCase(Locale.ROOT),
        rule.label(),
        onWorker,
        onTransactor,
        outcomes.stream()
            .filter(outcome -> outcome.suspect().equals(rule.id()) && outcome.decisive())
            .findFirst()
            .map(Judgement::of)
            .orElseGet(
                () ->
                    rule.kind() == Kind.OTHER
                        ? Judgement.bound(null, "")
                        : Judgement.bound(bound, byBound(bound, isThere))));
  }

  private static String byBound(@Nullable Double bound, boolean isThere) {
    if (bound == null) {
      return "not measured";
    }
    return !isThere
        ? "not there"
        : String.format(
            Locale.ROOT,
            "%s (at most %.0f %%)",
            bound < Outcome.THRESHOLD ? "not guilty" : "undecided",
            100 * Math.min(1, bound));
  }

  /** Adds the shares of another row, under a new label. */
  SuspectRow plus(SuspectRow other, String newLabel) {
    return new SuspectRow(
        system,
        suspect,
        kind,
        newLabel,
        worker.plus(other.worker),
        transactor.plus(other.transactor),
        judgement);
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
    return judgement.verdict.startsWith(GUILTY);
  }

  /** The label with what it costs, for a guilty suspect. */
  String conviction() {
    return label + judgement.verdict.substring(GUILTY.length());
  }
}
