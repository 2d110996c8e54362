package io.drayage.bench.rig;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Summary;
import io.drayage.bench.statistics.Interval;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The number of turns in a comparison.
 *
 * @param iterations measured turns of each system; 0: until the ratios are known, or the budget is
 *     spent
 * @param warmup turns of each system before them, whose results are dropped; null: until it is warm
 * @param launches number of starts of the processes, each for all turns
 * @param baseline the system whose ratios to the others shall be known; null if the number is fixed
 * @param end of the budget; null if there is none
 * @param grace further time if there would be too few turns for an interval
 */
public record TurnPlan(
    int iterations,
    @Nullable Integer warmup,
    int launches,
    @Nullable String baseline,
    @Nullable Instant end,
    Duration grace) {
  /** The longest warm-up of processes. */
  static final Duration MAX_WARM_UP = Duration.ofSeconds(60);

  /** Share of the remaining budget for the warm-up. */
  private static final double WARM_UP = 0.42;

  /** Divisor of the budget for the grace. */
  private static final int GRACE = 5;

  /** Returns a plan with a number of turns; {@code warmup} as in the record. */
  public static TurnPlan fixed(int iterations, @Nullable Integer warmup) {
    return new TurnPlan(iterations, warmup, 1, null, null, Duration.ZERO);
  }

  /**
   * Returns a plan that ends when the ratios to a system are known, or when the budget, which
   * begins at {@code start}, is spent; {@code warmup} as in the record.
   */
  public static TurnPlan untilKnown(
      String baseline, @Nullable Integer warmup, Instant start, Duration budget) {
    return new TurnPlan(0, warmup, 1, baseline, start.plus(budget), budget.dividedBy(GRACE));
  }

  /**
   * Returns the plan for the ratios to another system, in one of {@code parts} parts of the time.
   */
  public TurnPlan forPart(String other, int parts) {
    TurnPlan share = share(parts);
    return new TurnPlan(
        iterations,
        warmup,
        launches,
        share.baseline == null ? null : other,
        share.end,
        share.grace);
  }

  /** Returns the plan with {@code count} starts of the processes. */
  public TurnPlan withLaunches(int count) {
    return new TurnPlan(iterations, warmup, count, baseline, end, grace);
  }

  /** Checks whether the number of turns is fixed. */
  public boolean isFixed() {
    return iterations > 0;
  }

  /** Returns the time limit of a warm-up that begins now. */
  Duration warmUp() {
    if (end == null) {
      return MAX_WARM_UP;
    }
    Duration part = Duration.ofMillis((long) (Math.max(0, left().toMillis()) * WARM_UP));
    return part.compareTo(MAX_WARM_UP) < 0 ? part : MAX_WARM_UP;
  }

  /** Returns the remaining seconds of the budget; 0 if there is none. */
  public int secondsLeft() {
    return end == null ? 0 : (int) Math.max(1, left().toSeconds());
  }

  /** Returns the remaining budget. */
  private Duration left() {
    return Duration.between(Instant.now(), end);
  }

  /**
   * Checks whether another round is worth its time.
   *
   * @param done rounds so far
   * @param counted the runs of the rounds in which all were warm
   * @param warm whether there are such rounds
   */
  boolean wantsRound(int done, List<Run> counted, boolean warm) {
    if (isFixed()) {
      return done < iterations;
    }
    if (done < Interval.MIN_TURNS) {
      return done == 0 || !left().plus(grace).isNegative();
    }
    boolean isSettled = warm && Summary.isSettled(Objects.requireNonNull(baseline), counted);
    return !left().isNegative() && !isSettled;
  }

  /** Returns the plan for the next group, with its part of the budget. */
  TurnPlan share(int groupsLeft) {
    return end == null
        ? this
        : new TurnPlan(
            iterations,
            warmup,
            launches,
            baseline,
            Instant.now().plus(left().dividedBy(groupsLeft)),
            grace.dividedBy(groupsLeft));
  }
}
