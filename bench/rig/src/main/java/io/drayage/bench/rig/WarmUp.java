package io.drayage.bench.rig;

import io.drayage.bench.child.ControlMessages.Burst;
import io.drayage.bench.child.ControlMessages.Warmed;
import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.statistics.Medians;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Warms a pair, and shows afterwards whether that was enough.
 *
 * <p>Bursts of small cargoes in the smallest segments, and of a few larger ones as they are, go the
 * whole way that is measured, until the compiler has little left to do; then turns like those that
 * are measured. The data path is called once a segment, and what surrounds it once a commit: a turn
 * of a gigabyte makes a thousand calls of the one and a single call of the other, where the JVM
 * compiles after 200 and again after 5,000.
 *
 * <p>Whether it was enough is judged by the measured turns themselves, and by processor time, which
 * a busy machine changes least.
 */
final class WarmUp {
  /** The first commit is of the whole cargo, or of this much if it is larger. */
  static final long FIRST_COMMIT_BYTES = 100_000_000;

  /** Warm-up turns in a row whose median must show that a system is warm. */
  private static final int WARM_TURNS = 3;

  private static final Burst SMALL = new Burst(16_000_000, 10, 64 << 10);

  /** What small cargoes do not reach: whole pages, segments of the measured size, full buffers. */
  private static final Burst LARGE = new Burst(128_000_000, 1, null);

  /** The most that the compiler may have of the processor time of a warm process. */
  private static final double MAX_JIT_SHARE = 0.1;

  /** Bursts in a row that must show it. */
  private static final int QUIET_BURSTS = 2;

  /** How far the processor time of the first measured turns may be from that of the others. */
  private static final double MAX_DIFFERENCE = 0.15;

  /** Turns that are first: one alone may be off for other reasons. */
  private static final int FIRST_TURNS = 3;

  private final Pair pair;
  private int bursts;
  private int quietBursts;
  private @Nullable Double firstCommitS;

  /** Why nothing can be shown. */
  private @Nullable String problem;

  WarmUp(Pair pair) {
    this.pair = pair;
  }

  /** The seconds and the compiler's part of a burst. */
  private record Outcome(double firstS, double jitShare) {}

  /**
   * Measures the first commit of new processes, from the moment that they say that they are ready.
   * Only our own have warmed themselves, as their nodes do: users meet that at every restart.
   */
  void firstCommit() throws InterruptedException {
    if (pair.isLost()) {
      problem = "the system was lost";
      return;
    }
    Outcome first = burst(new Burst(FIRST_COMMIT_BYTES, 1, null));
    firstCommitS = first == null ? null : (Double) first.firstS;
  }

  /** Ships bursts until the pair is warm, but begins none after that time. */
  void warm(Duration limit) throws InterruptedException {
    long beganNs = System.nanoTime();
    while (isCold() && System.nanoTime() - beganNs < limit.toNanos()) {
      Outcome outcome = burst(bursts++ % 2 == 0 ? SMALL : LARGE);
      quietBursts = outcome != null && outcome.jitShare <= MAX_JIT_SHARE ? quietBursts + 1 : 0;
    }
  }

  private boolean isCold() {
    return problem == null && quietBursts < QUIET_BURSTS;
  }

  /** Null if it failed. */
  private @Nullable Outcome burst(Burst burst) throws InterruptedException {
    try {
      Pair.BurstCosts costs = pair.burst(burst);
      double cpuS = costs.transactor().cpuS();
      double jitS = costs.transactor().jitS();
      for (Warmed worker : costs.workers()) {
        ProcessCost cost = worker.cost();
        cpuS += cost.cpuS();
        jitS += cost.jitS();
      }
      double firstS = costs.workers().get(0).seconds().get(0);
      return new Outcome(firstS, cpuS == 0 ? 0 : jitS / cpuS);
    } catch (ChildException e) {
      problem = e.getMessage();
      return null;
    }
  }

  /**
   * Whether the last warm-up turns show that no compiler has much left to do.
   *
   * @param runs whole rounds of so many systems
   */
  static boolean isOver(List<Run> runs, int systems) {
    int last = WARM_TURNS * systems;
    return runs.size() >= last
        && runs.subList(runs.size() - last, runs.size()).stream()
            .collect(Collectors.groupingBy(Run::system))
            .values()
            .stream()
            .map(turns -> Medians.of(turns, Run::jitShare))
            .allMatch(jitShare -> jitShare == null || jitShare <= MAX_JIT_SHARE);
  }

  /** Whether the bursts have shown that it is warm. */
  Warmth afterBursts() {
    String reason = isCold() ? "its compiler was still at work when the time was up" : problem;
    return new Warmth(reason == null, reason, firstCommitS);
  }

  /**
   * Whether the measured turns show that it was warm.
   *
   * @param runs those of all systems
   */
  Warmth afterTurns(List<Run> runs) {
    List<Run> ok =
        runs.stream()
            .filter(run -> run.system().equals(pair.contender().name()))
            .filter(run -> run.status() == Status.OK)
            .toList();
    String reason = problem == null ? whyCold(ok) : problem;
    return new Warmth(reason == null, reason, firstCommitS);
  }

  /** Why the measured turns of a system show that it was not warm; null if they do not. */
  static @Nullable String whyCold(List<Run> ok) {
    Double jitShare = Medians.of(ok, Run::jitShare);
    if (ok.size() < 2 || jitShare == null) {
      return "too few turns to tell";
    }
    if (jitShare > MAX_JIT_SHARE) {
      return percent("its compiler had %.0f %% of the processor time of its turns", jitShare);
    }
    int first = Math.min(FIRST_TURNS, ok.size() / 2);
    double firstS = Objects.requireNonNull(Medians.of(ok.subList(0, first), Run::cpuS));
    double laterS = Objects.requireNonNull(Medians.of(ok.subList(first, ok.size()), Run::cpuS));
    double difference = Math.abs(firstS / laterS - 1);
    return difference > MAX_DIFFERENCE
        ? percent("its first turns' processor time was %.0f %% off that of the others", difference)
        : null;
  }

  private static String percent(String text, double part) {
    return String.format(Locale.ROOT, text, 100 * part);
  }
}
