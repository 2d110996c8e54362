package io.drayage.bench.rig;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many turns the systems of a comparison take.
 *
 * @param iterations measured turns of each system; 0: as many as it takes until the ratios are
 *     known, or until the budget is spent
 * @param warmup turns of each system before them, whose results are dropped; null: until it is warm
 * @param end when the budget is spent; null if there is none
 */
public record Turns(int iterations, @Nullable Integer warmup, @Nullable Instant end) {
  /** What warming takes of the budget that is left, at most. */
  private static final double WARMING = 0.45;

  /** How long all systems may warm up where there is no budget, a system. */
  private static final Duration WARMING_WITHOUT_BUDGET = Duration.ofSeconds(20);

  /** A number of turns; {@code warmup} as in the record. */
  public static Turns fixed(int iterations, @Nullable Integer warmup) {
    return new Turns(iterations, warmup, null);
  }

  /** Until the ratios are known, or until this moment. */
  public static Turns untilKnown(Instant end) {
    return new Turns(0, null, end);
  }

  /** Whether the number of turns is fixed. */
  public boolean isFixed() {
    return iterations > 0;
  }

  /** Turns of each system, as far as they are known. */
  int count() {
    return iterations + (warmup == null ? 0 : warmup);
  }

  /** How long these systems may take to warm up, from now on. */
  Duration warming(int systems) {
    return end == null
        ? WARMING_WITHOUT_BUDGET.multipliedBy(systems)
        : Duration.ofMillis((long) (Math.max(0, left().toMillis()) * WARMING));
  }

  /** What is left of the budget. */
  private Duration left() {
    return Duration.between(Instant.now(), end);
  }

  /** Whether there is a budget and it is spent. */
  boolean isSpent() {
    return end != null && left().isNegative();
  }

  /** The part of the budget that these of all groups have. */
  Turns share(int group, int groups) {
    return end == null || groups == 1
        ? this
        : new Turns(
            iterations, warmup, Instant.now().plus(left().dividedBy(Math.max(1, groups - group))));
  }
}
