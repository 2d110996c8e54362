package io.drayage.transactor;

import io.drayage.coordination.Maintenance;
import io.drayage.database.FollowerStatus;
import io.drayage.database.Lag;
import org.jspecify.annotations.Nullable;

/**
 * What a transactor does at the moment.
 *
 * @param epoch of its term as primary; 0 for a standby
 * @param snapshot the newest one in its memory
 * @param published the newest published one that it knows of
 * @param behind how far it is behind; null if it does not know yet what is published
 * @param pendingCommits commits that are applied and not in the log yet; 0 for a standby
 * @param undoneCommits commits of this process that were applied and could not be stored
 * @param databaseBytes the memory that the database takes, and the limit
 * @param fullSnapshotEvery number of log entries between full snapshots
 * @param deletedObjects objects of the store that this process deleted because nobody needs them
 * @param differences entries of the log that this process applied differently, also those that it
 *     did not when they were loaded again
 * @param maintenance whether the cluster is in maintenance, as far as it knows
 * @param failure why it cannot take over, or follow the log; null if nothing is wrong
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

  /** Whether the node is the one that commits, as far as it knows. */
  public boolean isPrimary() {
    return epoch > 0;
  }
}
