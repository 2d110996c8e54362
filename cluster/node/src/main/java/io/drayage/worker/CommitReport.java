package io.drayage.worker;

import io.drayage.send.SendReport;

/**
 * The timings of a commit, by the worker's clock, until the worker has loaded the snapshot.
 *
 * @param timestamp the snapshot that it created
 * @param send the shipment that was acknowledged
 * @param convertNs from the transaction to its cargo
 * @param publishNs from the transactor's answer until the timestamp was published
 * @param loadNs until the snapshot was loaded; from its publication
 * @param totalNs from the call to the loaded snapshot
 * @param attempts the number of times that the cargo was sent
 */
public record CommitReport(
    long timestamp,
    SendReport send,
    long convertNs,
    long publishNs,
    long loadNs,
    long totalNs,
    int attempts) {}
