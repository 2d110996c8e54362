package io.drayage.transactor;

import org.jspecify.annotations.Nullable;

/**
 * How a transactor stands: a primary, or a standby that follows it.
 *
 * @param epoch of the current term as primary; null of a standby
 * @param snapshot the newest of its copy of the database
 * @param published the newest that was published, as far as it was told
 * @param pendingCommits applied and not published yet; 0 of a standby
 * @param takeoverFailure why the elected node has not taken over yet; null if nothing is wrong
 * @param followFailure why its copy cannot advance; null if it can
 */
public record TransactorStatus(
    @Nullable Long epoch,
    long snapshot,
    long published,
    int pendingCommits,
    @Nullable Exception takeoverFailure,
    @Nullable Exception followFailure) {
  /** How many published snapshots its copy lacks. */
  public long lag() {
    return Math.max(0, published - snapshot);
  }
}
