package io.drayage.transactor;

import io.drayage.store.AppliedChanges;

/**
 * A published commit.
 *
 * @param times the duration of each step
 * @param changes its changes, to be read back from the store. They retain the snapshot and the row
 *     ids of the cargo's updates
 */
public record PublishedCommit(CommitTimes times, AppliedChanges changes) {}
