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
 * <p>Bursts of small cargoes in the smallest segments, and of a few larger cargoes, go the whole
 * measured way, until the compiler has little left to do. Turns like the measured ones follow. The
 * data path is called once a segment, and the code around it once a commit. A turn of a gigabyte
 * makes a thousand calls of the former and a single call of the latter, while the JVM compiles
 * after 200 calls and again after 5,000.
 *
 * <p>The measured turns themselves show whether it was enough: {@link WarmTurns}.
 */
final class WarmUp {
  /** Bytes of the first commit, unless the whole cargo is smaller. */
  static final long FIRST_COMMIT_BYTES = 100_000_000;

  private static final Burst SMALL = new Burst(16_000_000, 10, 64 << 10);

  /** Reaches code that small cargoes do not: whole pages, measured segments, full buffers. */
  private static final Burst LARGE = new Burst(128_000_000, 1, null);

  /** Number of consecutive bursts that must show it. */
  private static final int QUIET_BURSTS = 2;

  private final Pair pair;
  private int bursts;
  private int quietBursts;
  private @Nullable Double firstCommitS;

  /** Reason why nothing can be shown. */
  private @Nullable String problem;

  WarmUp(Pair pair) {
    this.pair = pair;
  }

  /** The seconds of a burst, and the compiler's share. */
  private record Outcome(double firstS, double jitShare) {}

  /**
   * Measures the first commit of new processes, from the moment when they report to be ready. Only
   * our own processes have warmed themselves, like their nodes: users see this at every restart.
   */
  void firstCommit() throws InterruptedException {
    if (pair.isLost()) {
      problem = "the system was lost";
      return;
    }
    Outcome first = burst(new Burst(FIRST_COMMIT_BYTES, 1, null));
    firstCommitS = first == null ? null : (Double) first.firstS;
  }

  /** Ships bursts until the pair is warm, but begins none after the limit. */
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

  /** Ships a burst; null if it failed. */
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

  /** Returns whether the bursts have shown that it is warm. */
  Warmth afterBursts() {
    String reason = isCold() ? "its JIT compiler is still busy" : problem;
    return new Warmth(reason == null, reason, firstCommitS);
  }

  /**
   * Returns whether the measured turns show that it was warm.
   *
   * @param runs of all systems
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
