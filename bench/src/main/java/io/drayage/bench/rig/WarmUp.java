package io.drayage.bench.rig;

import io.drayage.bench.child.ControlMessages.Burst;
import io.drayage.bench.child.ControlMessages.Warmed;
import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.statistics.Medians;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Warms a pair until that can be shown: bursts of small cargoes in the smallest segments go the
 * whole way that is measured, until the compiler has little left to do and the bursts take as long
 * as each other. The data path is called once a segment: a cargo of a gigabyte calls it a thousand
 * times, the same in segments of 64 KiB sixteen thousand times.
 */
final class WarmUp {
  /** The first commit is of the whole cargo, or of this much if it is larger. */
  static final long FIRST_COMMIT_BYTES = 100_000_000;

  /** Turns like those that are measured, which touch the memory that these need. */
  static final int LAST_TURNS = 1;

  private static final long BURST_BYTES = 4_000_000;
  private static final int BURST_CARGOES = 12;
  private static final int SMALLEST_SEGMENT_BYTES = 64 << 10;

  /** The compiler is done if it has no more than this of the processor time of so many bursts. */
  private static final double DONE_SHARE = 0.08;

  private static final int DONE_BURSTS = 2;

  /** So many medians must lie no farther apart than this, of the smallest. */
  private static final int MEDIANS = 5;

  private static final double AGREEING = 0.05;

  private final Pair pair;
  private final List<Double> jitShares = new ArrayList<>();
  private final List<Double> medians = new ArrayList<>();
  private @Nullable Double firstCommitS;

  /** Why it is not warm. */
  private @Nullable String problem;

  WarmUp(Pair pair) {
    this.pair = pair;
  }

  /** Measures the first commit of new processes, from the moment that they are ready. */
  void firstCommit() throws InterruptedException {
    if (!pair.canWarm()) {
      problem = "it cannot be warmed by parts of its cargo";
      return;
    }
    try {
      firstCommitS = burst(new Burst(FIRST_COMMIT_BYTES, 1, null));
    } catch (ChildException e) {
      problem = e.getMessage();
    }
  }

  /** Warms all of them in turns, until they are warm but no longer than that. */
  static void warm(List<WarmUp> all, Duration limit) throws InterruptedException {
    long beganNs = System.nanoTime();
    all.forEach(one -> one.jitShares.clear());
    while (System.nanoTime() - beganNs < limit.toNanos() && all.stream().anyMatch(WarmUp::isCold)) {
      for (WarmUp one : all) {
        one.warmOn();
      }
    }
    all.stream().filter(WarmUp::isCold).forEach(one -> one.problem = one.reason(limit));
  }

  private boolean isCold() {
    return problem == null && !(isCompiled() && agrees());
  }

  private void warmOn() throws InterruptedException {
    if (!isCold()) {
      return;
    }
    try {
      medians.add(burst(new Burst(BURST_BYTES, BURST_CARGOES, SMALLEST_SEGMENT_BYTES)));
    } catch (ChildException e) {
      problem = e.getMessage();
    }
  }

  /** What came of it. */
  Warmth warmth() {
    return new Warmth(problem == null, problem, firstCommitS);
  }

  /** The median of the seconds that each cargo took. */
  private double burst(Burst burst) throws ChildException, InterruptedException {
    Pair.BurstCosts costs = pair.burst(burst);
    double cpuS = costs.transactor().cpuS();
    double jitS = costs.transactor().jitS();
    List<Double> seconds = new ArrayList<>();
    for (Warmed worker : costs.workers()) {
      ProcessCost cost = worker.cost();
      cpuS += cost.cpuS();
      jitS += cost.jitS();
      seconds.addAll(worker.seconds());
    }
    jitShares.add(cpuS == 0 ? 0 : jitS / cpuS);
    return Medians.of(seconds.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private boolean isCompiled() {
    return jitShares.size() >= DONE_BURSTS
        && last(jitShares, DONE_BURSTS).stream().allMatch(share -> share <= DONE_SHARE);
  }

  private boolean agrees() {
    if (medians.size() < MEDIANS) {
      return false;
    }
    List<Double> last = last(medians, MEDIANS);
    return Collections.max(last) <= Collections.min(last) * (1 + AGREEING);
  }

  private String reason(Duration limit) {
    if (jitShares.isEmpty()) {
      return "the time was over before it could";
    }
    return isCompiled()
        ? String.format(
            Locale.ROOT,
            "its times still differed by more than %.0f %% after %d s",
            100 * AGREEING,
            limit.toSeconds())
        : String.format(
            Locale.ROOT,
            "after %d s the compiler still had %.0f %% of its processor time",
            limit.toSeconds(),
            100 * jitShares.get(jitShares.size() - 1));
  }

  private static <T> List<T> last(List<T> list, int count) {
    return list.subList(list.size() - count, list.size());
  }
}
