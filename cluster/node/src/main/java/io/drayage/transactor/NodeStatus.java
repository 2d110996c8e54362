package io.drayage.transactor;

import io.drayage.coordination.Maintenance;
import io.drayage.database.FollowerStatus;
import io.drayage.database.Lag;
import org.jspecify.annotations.Nullable;

/**
 * The present state of a transactor.
 *
 * @param epoch of its term as primary; 0 for a standby
 * @param snapshot the newest snapshot in its memory
 * @param published the newest published snapshot that it knows
 * @param behind the lag of the node; null if it does not know yet what is published
 * @param pendingCommits number of applied commits that are not in the log yet; 0 for a standby
 * @param undoneCommits number of commits of this process that were applied and could not be stored
 * @param databaseBytes the memory of the database, and the limit
 * @param fullSnapshotEvery number of log entries between full snapshots
 * @param deletedObjects number of unneeded objects that this process deleted from the store
 * @param differences number of entries that this process applied differently than the log says,
 *     also if a retry helped
 * @param maintenance whether the cluster is in maintenance, as far as the node knows
 * @param failure the reason why it cannot take over or follow the log; null if it can
 */
public record NodeStatus(
    long epoch,
    long snapshot,
    long published,
    @Nullable Lag behind,
    int pendingCommits,
    long undoneCommits,
    long databaseBytes,
    long maxDatabaseBytes,
    int fullSnapshotEvery,
    long deletedObjects,
    long differences,
    Maintenance maintenance,
    @Nullable String failure)
    implements FollowerStatus {

  /** Whether the node is the primary, as far as it knows. */
  public boolean isPrimary() {
    return epoch > 0;
  }
}
