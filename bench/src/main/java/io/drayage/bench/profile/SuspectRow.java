package io.drayage.bench.profile;

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
record SuspectRow(
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

    boolean isNothing() {
      return cpu == 0 && cpuUnder == 0 && waiting == 0 && waitingUnder == 0;
    }
  }

  /**
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
    Outcome deciding =
        outcomes.stream()
            .filter(outcome -> outcome.suspect().equals(rule.id()) && outcome.decisive())
            .findFirst()
            .orElse(null);
    String kind = rule.kind().name().toLowerCase(Locale.ROOT);
    if (rule.kind() == Kind.OTHER || deciding != null) {
      return new SuspectRow(
          worker.system(),
          rule.id(),
          kind,
          rule.label(),
          onWorker,
          onTransactor,
          deciding == null ? null : deciding.change(),
          deciding == null ? null : deciding.gain(),
          deciding == null ? null : deciding.low(),
          deciding == null ? null : deciding.high(),
          null,
          deciding == null ? "" : words(deciding));
    }
    boolean sampled = isVisible && worker.shares().cpuNs() > 0 && transactor.shares().cpuNs() > 0;
    // The ends may work one after the other, so what both would save counts.
    Double bound =
        sqS == null || !sampled
            ? null
            : (onWorker.cpuUnder * worker.cpuS() + onTransactor.cpuUnder * transactor.cpuS()) / sqS;
    return new SuspectRow(
        worker.system(),
        rule.id(),
        kind,
        rule.label(),
        onWorker,
        onTransactor,
        null,
        null,
        null,
        null,
        bound,
        bound == null ? "not measured" : withoutExperiment(onWorker, onTransactor, bound));
  }

  private static String words(Outcome outcome) {
    Double gain = outcome.gain();
    return gain == null || !outcome.finding().equals("guilty")
        ? outcome.finding()
        : String.format(Locale.ROOT, "guilty (%.0f %% of S+Q)", 100 * gain);
  }

  private static String withoutExperiment(Side worker, Side transactor, double bound) {
    if (worker.isNothing() && transactor.isNothing()) {
      return "not there";
    }
    return String.format(
        Locale.ROOT,
        bound < Verdict.THRESHOLD ? "not guilty (at most %.0f %%)" : "undecided (at most %.0f %%)",
        100 * Math.min(1, bound));
  }
}
