package io.drayage.transactor;

import io.drayage.store.AppliedChanges;

/**
 * A published commit.
 *
 * @param times the duration of each step
 * @param worker whose cargo it was: the name in the header of its shipment, proven where workers
 *     have to prove theirs
 * @param changes its changes, to be read back from the store. They retain the snapshot and the row
 *     ids of the cargo's updates
 */
public record PublishedCommit(CommitTimes times, String worker, AppliedChanges changes) {}
