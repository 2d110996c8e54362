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
 * How many turns the systems of a comparison take.
 *
 * @param iterations measured turns of each system; 0: as many as it takes until the ratios are
 *     known, or until the budget is spent
 * @param warmup turns of each system before them, whose results are dropped; null: until it is warm
 * @param launches how often the processes are started, each time for all of that
 * @param baseline the system whose ratios to the others shall be known; null if the number is fixed
 * @param end when the budget is spent; null if there is none
 * @param grace how much longer it may take if there would be too few turns for an interval
 */
public record TurnPlan(
    int iterations,
    @Nullable Integer warmup,
    int launches,
    @Nullable String baseline,
    @Nullable Instant end,
    Duration grace) {
  /** The longest that processes may take to get warm. */
  static final Duration MAX_WARM_UP = Duration.ofSeconds(60);

  /** What that may take of the budget that is left. */
  private static final double WARM_UP = 0.42;

  /** The grace is one part of so many of the budget. */
  private static final int GRACE = 5;

  /** A number of turns; {@code warmup} as in the record. */
  public static TurnPlan fixed(int iterations, @Nullable Integer warmup) {
    return new TurnPlan(iterations, warmup, 1, null, null, Duration.ZERO);
  }

  /**
   * Until the ratios to a system are known, or until the budget, which begins at {@code start}, is
   * spent; {@code warmup} as in the record.
   */
  public static TurnPlan untilKnown(
      String baseline, @Nullable Integer warmup, Instant start, Duration budget) {
    return new TurnPlan(0, warmup, 1, baseline, start.plus(budget), budget.dividedBy(GRACE));
  }

  /**
   * The same with another system whose ratios shall be known, in one part of so many of the time.
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

  /** The same with so many starts of the processes. */
  public TurnPlan withLaunches(int count) {
    return new TurnPlan(iterations, warmup, count, baseline, end, grace);
  }

  /** Whether the number of turns is fixed. */
  public boolean isFixed() {
    return iterations > 0;
  }

  /** How long warming may take, from now on. */
  Duration warmUp() {
    if (end == null) {
      return MAX_WARM_UP;
    }
    Duration part = Duration.ofMillis((long) (Math.max(0, left().toMillis()) * WARM_UP));
    return part.compareTo(MAX_WARM_UP) < 0 ? part : MAX_WARM_UP;
  }

  /** Seconds that are left of the budget; 0 if there is none. */
  public int secondsLeft() {
    return end == null ? 0 : (int) Math.max(1, left().toSeconds());
  }

  /** What is left of the budget. */
  private Duration left() {
    return Duration.between(Instant.now(), end);
  }

  /**
   * Whether another round is worth its time.
   *
   * @param done rounds so far
   * @param counted the runs of those in which all were warm
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

  /** The part of the budget that the next of so many groups has. */
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
