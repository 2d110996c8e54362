package io.drayage.bench.rig;

import io.drayage.bench.child.ControlMessages.Burst;
import io.drayage.bench.child.ControlMessages.Warmed;
import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Warmth;
import java.time.Duration;
import java.util.List;
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
 * <p>Whether it was enough is judged by the measured turns themselves: {@link WarmTurns}.
 */
final class WarmUp {
  /** The first commit is of the whole cargo, or of this much if it is larger. */
  static final long FIRST_COMMIT_BYTES = 100_000_000;

  private static final Burst SMALL = new Burst(16_000_000, 10, 64 << 10);

  /** What small cargoes do not reach: whole pages, segments of the measured size, full buffers. */
  private static final Burst LARGE = new Burst(128_000_000, 1, null);

  /** Bursts in a row that must show it. */
  private static final int QUIET_BURSTS = 2;

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
      quietBursts =
          outcome != null && outcome.jitShare <= WarmTurns.MAX_JIT_SHARE ? quietBursts + 1 : 0;
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
    String reason = problem == null ? WarmTurns.whyCold(ok) : problem;
    return new Warmth(reason == null, reason, firstCommitS);
  }
}
