package io.drayage.bench.profile;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Interval;
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
 * @param boundOfSq without an experiment: the upper end of the 95 % interval of the suspect's CPU
 *     time at both ends, with everything that it calls, as a part of S+Q. Its removal can save no
 *     more, apart from threads that wait for it
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
  /** The verdict about a suspect of which the samples of timers miss a part. */
  static final String NO_KERNEL = "cannot be told without the kernel's frames";

  private static final String NO_BOUND = "cannot be removed";

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

    /** Returns shares of the CPU time of both ends as a part of S+Q. */
    private double ofSq(double workerShare, double transactorShare) {
      return (workerShare * workerCpuS + transactorShare * transactorCpuS) / sqS;
    }
  }

  /**
   * The CPU time of a suspect at both ends, as a part of S+Q. The ends may work one after the
   * other, so the savings of both count.
   *
   * @param sampled by its shares of the samples
   * @param high by the upper ends of the 95 % intervals of these shares
   * @param workerSamples the number of all samples of the worker
   * @param transactorSamples that of the transactor
   */
  private record Bound(double sampled, double high, long workerSamples, long transactorSamples) {
    static Bound of(Rule rule, ProfiledEnd worker, ProfiledEnd transactor, Spent spent) {
      Interval onWorker = worker.cpuUnder(rule);
      Interval onTransactor = transactor.cpuUnder(rule);
      return new Bound(
          spent.ofSq(onWorker.estimate(), onTransactor.estimate()),
          spent.ofSq(onWorker.high(), onTransactor.high()),
          worker.cpuSamples(),
          transactor.cpuSamples());
    }

    /** Acquits only if the interval ends below the threshold. */
    String verdict(boolean isThere) {
      if (high < Outcome.THRESHOLD) {
        return isThere
            ? format("not guilty (at most %.0f %%)", 100 * high)
            : "not guilty (not there)";
      }
      if (sampled < Outcome.THRESHOLD) {
        return format(
            "cannot be told from %d and %d samples (at most %.0f %%)",
            workerSamples, transactorSamples, 100 * Math.min(1, high));
      }
      return high < 1 ? format("at most %.0f %%", 100 * high) : NO_BOUND;
    }
  }

  /**
   * Returns the verdict about all suspects without an experiment, if their shares in a recording
   * bound nothing.
   *
   * @param overhead of the recording; null if not measured
   * @return null if the shares are reliable
   */
  static @Nullable String untold(
      ProfiledEnd worker, ProfiledEnd transactor, @Nullable Overhead overhead) {
    if (worker.isDefective() || transactor.isDefective()) {
      return "cannot be told from a defective recording";
    }
    return overhead != null && overhead.isTooMuch()
        ? "cannot be told from a recording that costs more than 10 % of S+Q"
        : null;
  }

  /**
   * Judges a suspect by its deciding experiment, or else by its share of the CPU time.
   *
   * @param untold the verdict if the shares do not bound it; null if they do
   * @param spent the cost of the system without the profiler; null if every iteration failed
   * @param outcomes of the system's experiments
   */
  static SuspectRow of(
      Rule rule,
      ProfiledEnd worker,
      ProfiledEnd transactor,
      @Nullable String untold,
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
    Bound bound =
        outcome != null || rule.kind() == RuleKind.OTHER || untold != null || spent == null
            ? null
            : Bound.of(rule, worker, transactor, spent);
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
        bound == null ? null : (Double) bound.high,
        outcome != null
            ? outcome.verdict()
            : rule.kind() == RuleKind.OTHER
                ? ""
                : bound != null
                    ? bound.verdict(isThere)
                    : Objects.requireNonNullElse(untold, NO_BOUND));
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
