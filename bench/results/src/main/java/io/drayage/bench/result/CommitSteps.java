package io.drayage.bench.result;

/**
 * What follows a shipment in a whole commit, in nanoseconds. The first three are by the
 * transactor's clock; each is what is left of its step when the one before is done.
 *
 * @param applyNs from the whole cargo until it is in the transactor's memory
 * @param uploadNs until all of it is in the object store
 * @param snapshotNs until its entry is in the log: stored
 * @param seenNs by the worker's clock, from the transactor's answer until the worker sees the
 *     timestamp published
 * @param loadNs until the worker has loaded the snapshot
 * @param totalNs the whole commit, by the worker's clock
 */
public record CommitSteps(
    long applyNs, long uploadNs, long snapshotNs, long seenNs, long loadNs, long totalNs) {}
