package io.drayage.bench.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import io.drayage.profiling.FrameRules.Rule;
import io.drayage.profiling.FrameRules.RuleKind;
import io.drayage.profiling.Shares;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One suspect, or something unsuspected, in one system. Serialized by Jackson. Shares are parts of
 * 1; those of all rows of a system add up to 1, column by column, except the ones "under", which
 * include everything that the suspect calls.
 *
 * @param kind {@code study}, {@code ours} or {@code other}
 * @param worker the shares on the worker
 * @param transactor the shares on the transactor
 * @param change of the deciding experiment; null without one
 * @param gain the part of S+Q that went away with the suspect
 * @param low the lower end of its 95 % interval
 * @param high the upper end
 * @param boundOfSq without an experiment: the suspect's processor time at both ends, with all that
 *     it calls, as a part of S+Q. Removing it can save no more, but for what waits for it
 * @param verdict in words; empty for what is not suspected
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
    private static Side of(Shares.Row row) {
      return new Side(row.cpu(), row.cpuUnder(), row.waiting(), row.waitingUnder());
    }

    private boolean isNothing() {
      return cpu == 0 && cpuUnder == 0 && waiting == 0 && waitingUnder == 0;
    }
  }

  /**
   * What an iteration costs. Not by the samples: timers tick more seldom than they are told to.
   *
   * @param sqS the shortest S+Q, so that what disturbs the machine makes no bound too small
   * @param workerCpuS the worker's processor time within S+Q, a median
   * @param transactorCpuS the transactor's
   */
  record Spent(double sqS, double workerCpuS, double transactorCpuS) {
    /** Of the runs that went well; null without any. */
    static @Nullable Spent of(List<Run> runs) {
      List<Run> ok = runs.stream().filter(run -> run.status() == Status.OK).toList();
      Double worker = Medians.of(ok, run -> Objects.requireNonNull(run.cost().worker()).sqCpuS());
      Double transactor =
          Medians.of(ok, run -> Objects.requireNonNull(run.cost().transactor()).sqCpuS());
      return worker == null || transactor == null
          ? null
          : new Spent(ok.stream().mapToDouble(Run::sqS).min().orElseThrow(), worker, transactor);
    }
  }

  /**
   * Judges a suspect by its deciding experiment, or else by its share of the processor time.
   *
   * @param isVisible whether the samples could show all of it
   * @param spent what the system costs without the profiler; null if no iteration went well
   * @param outcomes of the system's experiments
   */
  static SuspectRow of(
      Rule rule,
      ProfiledEnd worker,
      ProfiledEnd transactor,
      boolean isVisible,
      @Nullable Spent spent,
      List<Outcome> outcomes) {
    Side onWorker = Side.of(worker.shares().row(rule));
    Side onTransactor = Side.of(transactor.shares().row(rule));
    boolean isThere = !onWorker.isNothing() || !onTransactor.isNothing();
    Outcome outcome =
        outcomes.stream()
            .filter(one -> one.suspect().equals(rule.id()) && one.decisive())
            .findFirst()
            .orElse(null);
    Double bound = null;
    if (outcome == null
        && rule.kind() != RuleKind.OTHER
        && isVisible
        && spent != null
        && worker.shares().cpuNs() > 0
        && transactor.shares().cpuNs() > 0) {
      // The ends may work one after the other, so what both would save counts.
      bound =
          (onWorker.cpuUnder * spent.workerCpuS + onTransactor.cpuUnder * spent.transactorCpuS)
              / spent.sqS;
    }
    return new SuspectRow(
        worker.system(),
        rule.id(),
        rule.kind().name().toLowerCase(Locale.ROOT),
        rule.label(),
        onWorker,
        onTransactor,
        outcome == null ? null : outcome.change(),
        outcome == null ? null : outcome.gain(),
        outcome == null ? null : outcome.low(),
        outcome == null ? null : outcome.high(),
        bound,
        outcome != null
            ? outcome.verdict()
            : rule.kind() == RuleKind.OTHER ? "" : byBound(isVisible, bound, isThere));
  }

  /** A bound of all of S+Q bounds nothing, and samples bound nothing that they cannot show. */
  static String byBound(boolean isVisible, @Nullable Double bound, boolean isThere) {
    if (!isVisible) {
      return "cannot be told without the kernel's frames";
    }
    if (bound == null || bound >= 1) {
      return "cannot be taken away";
    }
    return !isThere
        ? "not guilty (not there)"
        : String.format(
            Locale.ROOT,
            bound < Outcome.THRESHOLD ? "not guilty (at most %.0f %%)" : "at most %.0f %%",
            100 * bound);
  }

  @JsonIgnore
  boolean isSuspect() {
    return !kind.equals("other");
  }

  /** Whether it takes nothing anywhere, not even with what it calls. */
  @JsonIgnore
  boolean isNothing() {
    return worker.isNothing() && transactor.isNothing();
  }

  /** Whether it is not suspected, and its own shares are all below a limit. */
  boolean isSmall(double limit) {
    return !isSuspect()
        && worker.cpu < limit
        && worker.waiting < limit
        && transactor.cpu < limit
        && transactor.waiting < limit;
  }

  @JsonIgnore
  boolean isGuilty() {
    return verdict.startsWith("guilty");
  }

  /** Whether removing it could not shorten S+Q by what would make it guilty. */
  @JsonIgnore
  boolean isAcquitted() {
    return verdict.startsWith("not guilty");
  }
}
