package io.drayage.transactor;

import java.util.UUID;

/**
 * How long the transactor's steps of one commit took. They follow each other without a gap, except
 * that the frames are uploaded from the moment they arrive: {@code uploadNs} is what is left of
 * that after the cargo was applied.
 *
 * @param transactionId what was committed
 * @param timestamp the snapshot that it made
 * @param rebasedOver how many snapshots others made since the one on which the cargo was made
 * @param applyNs from the whole cargo until it is in the transactor's memory, including the wait
 *     for room behind the commits before
 * @param uploadNs until all its frames are in the object store; includes the wait for the commits
 *     before
 * @param snapshotNs until its entry is in the log: now it is stored
 * @param publishNs until its timestamp is the cluster's current one; -1 if that has not happened
 */
public record CommitTimes(
    UUID transactionId,
    long timestamp,
    long rebasedOver,
    long applyNs,
    long uploadNs,
    long snapshotNs,
    long publishNs) {}
