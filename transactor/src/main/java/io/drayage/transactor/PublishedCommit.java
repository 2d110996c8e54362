package io.drayage.transactor;

import io.drayage.store.AppliedChanges;

/**
 * A commit that is applied, stored and published.
 *
 * @param times how long each step took
 * @param changes what it changed, to be read back from the store. They keep their snapshot, and the
 *     row ids of the cargo's updates, in memory for so long as somebody keeps them
 */
public record PublishedCommit(CommitTimes times, AppliedChanges changes) {}
