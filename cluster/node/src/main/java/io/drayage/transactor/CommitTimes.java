package io.drayage.transactor;

import java.util.UUID;

/**
 * The durations of the transactor's steps of one commit. The steps are consecutive, except that
 * frames are uploaded as they arrive. {@code uploadNs} is the rest of the upload after the cargo
 * was applied.
 *
 * @param transactionId the committed transaction
 * @param timestamp the snapshot that it created
 * @param rebasedOver number of snapshots between the cargo's base and its commit
 * @param applyNs from the complete cargo until it is applied in memory, including the wait for
 *     earlier commits
 * @param uploadNs until all its frames are in the object store, including the wait for earlier
 *     commits
 * @param logNs until its entry is in the log, which makes it durable
 * @param publishNs until its timestamp is published; -1 if that has not happened
 */
public record CommitTimes(
    UUID transactionId,
    long timestamp,
    long rebasedOver,
    long applyNs,
    long uploadNs,
    long logNs,
    long publishNs) {}
