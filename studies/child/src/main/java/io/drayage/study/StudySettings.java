package io.drayage.study;

import org.jspecify.annotations.Nullable;

/**
 * What a run of a study shall do.
 *
 * @param experiment the only one to run; null for all
 * @param objects how many objects each experiment handles; null for the experiment's own number
 * @param isFull whether sizes are those that were published
 * @param seed what chance depends on
 * @param budgetSeconds when the whole run should be over; what is then left is cut
 */
public record StudySettings(
    @Nullable String experiment,
    @Nullable Integer objects,
    boolean isFull,
    long seed,
    int budgetSeconds) {
  public StudySettings {
    if (objects != null && objects < 1) {
      throw new IllegalArgumentException("--objects %,d: at least 1".formatted(objects));
    }
    if (budgetSeconds < 1) {
      throw new IllegalArgumentException("--budget %,d: at least 1".formatted(budgetSeconds));
    }
  }
}
