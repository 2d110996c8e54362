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
 * One suspect, or another part, in one system. Serialized by Jackson. Shares are parts of 1. In
 * each column the shares of all rows of a system add up to 1, except in the columns "under", which
 * include everything that the suspect calls.
 *
 * @param kind {@code study}, {@code ours} or {@code other}
 * @param worker the shares on the worker
 * @param transactor the shares on the transactor
 * @param change of the deciding experiment; null without one
 * @param gain the share of S+Q that the removal of the suspect saved
 * @param low lower end of the gain's 95 % interval
 * @param high upper end
 * @param boundOfSq without an experiment: the suspect's CPU time at both ends, with everything that
 *     it calls, as a part of S+Q. Its removal can save no more, apart from threads that wait for it
 * @param verdict in words; empty for a part that is not suspected
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
   * The cost of an iteration, without the samples: timers tick less often than requested.
   *
   * @param sqS the shortest S+Q in seconds, so that no disturbance of the machine lowers a bound
   * @param workerCpuS the worker's CPU time within S+Q in seconds, a median
   * @param transactorCpuS the transactor's
   */
  record Spent(double sqS, double workerCpuS, double transactorCpuS) {
    /** Returns the cost by the successful runs; null without any. */
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
   * Judges a suspect by its deciding experiment, or else by its share of the CPU time.
   *
   * @param isVisible whether the samples could show all of it
   * @param spent the cost of the system without the profiler; null if every iteration failed
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
      // The ends may work one after the other, so the savings of both count.
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

  /** Judges by the bound. It is useless if it is all of S+Q, or if samples miss the suspect. */
  static String byBound(boolean isVisible, @Nullable Double bound, boolean isThere) {
    if (!isVisible) {
      return "cannot be told without the kernel's frames";
    }
    if (bound == null || bound >= 1) {
      return "cannot be removed";
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

  /** Checks whether all its shares are 0, also with the code that it calls. */
  @JsonIgnore
  boolean isNothing() {
    return worker.isNothing() && transactor.isNothing();
  }

  /** Checks whether it is not suspected, and its own shares are all below a limit. */
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

  /** Checks whether its removal cannot save enough of S+Q to make it guilty. */
  @JsonIgnore
  boolean isAcquitted() {
    return verdict.startsWith("not guilty");
  }
}
