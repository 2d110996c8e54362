package io.drayage.bench.commits;

import org.jspecify.annotations.Nullable;

/**
 * The load of one round.
 *
 * @param callers threads, each with at most one commit under way
 * @param rows rows that a commit inserts
 * @param seconds the length of the round
 * @param perSecond commits that fall due each second, however fast they are answered (an open
 *     loop); null if each caller commits again as soon as it has its answer (a closed loop)
 */
public record CommitLoad(int callers, int rows, int seconds, @Nullable Integer perSecond) {
  long ns() {
    return seconds * 1_000_000_000L;
  }

  /** Returns the same load with other callers. */
  public CommitLoad withCallers(int count) {
    return new CommitLoad(count, rows, seconds, perSecond);
  }

  CommitLoad lasting(int otherSeconds) {
    return new CommitLoad(callers, rows, otherSeconds, perSecond);
  }
}
