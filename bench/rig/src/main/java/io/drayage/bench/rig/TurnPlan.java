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
 * @param baseline the system whose ratios to the others shall be known; null if the number is fixed
 * @param end when the budget is spent; null if there is none
 */
public record TurnPlan(
    int iterations, @Nullable Integer warmup, @Nullable String baseline, @Nullable Instant end) {
  /** What bursts may take of the budget that is left. */
  private static final double BURSTS = 0.3;

  /** What warm-up turns may take of what is left after them. */
  private static final double WARM_UP_TURNS = 0.36;

  /** How long bursts may take where there is no budget, a system. */
  private static final Duration BURSTS_WITHOUT_BUDGET = Duration.ofSeconds(20);

  /** How long warm-up turns may take where there is no budget, a system. */
  private static final Duration WARM_UP_TURNS_WITHOUT_BUDGET = Duration.ofSeconds(10);

  /** A number of turns; {@code warmup} as in the record. */
  public static TurnPlan fixed(int iterations, @Nullable Integer warmup) {
    return new TurnPlan(iterations, warmup, null, null);
  }

  /**
   * Until the ratios to a system are known, or until {@code end}; {@code warmup} as in the record.
   */
  public static TurnPlan untilKnown(String baseline, @Nullable Integer warmup, Instant end) {
    return new TurnPlan(0, warmup, baseline, end);
  }

  /** Whether the number of turns is fixed. */
  public boolean isFixed() {
    return iterations > 0;
  }

  /** How long the bursts of these systems may take, from now on. */
  Duration bursts(int systems) {
    return end == null ? BURSTS_WITHOUT_BUDGET.multipliedBy(systems) : left(BURSTS);
  }

  /** How long the warm-up turns of these systems may take, from now on. */
  Duration warmUpTurns(int systems) {
    return end == null ? WARM_UP_TURNS_WITHOUT_BUDGET.multipliedBy(systems) : left(WARM_UP_TURNS);
  }

  private Duration left(double part) {
    return Duration.ofMillis((long) (Math.max(0, left().toMillis()) * part));
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
   * @param runs all that were measured in them
   */
  boolean wantsRound(int done, List<Run> runs) {
    if (isFixed()) {
      return done < iterations;
    }
    return done < Interval.MIN_TURNS
        || !(left().isNegative() || Summary.isSettled(Objects.requireNonNull(baseline), runs));
  }

  /** The part of the budget that the next of so many groups has. */
  TurnPlan share(int groupsLeft) {
    return end == null
        ? this
        : new TurnPlan(
            iterations, warmup, baseline, Instant.now().plus(left().dividedBy(groupsLeft)));
  }
}
