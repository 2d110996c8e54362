package io.drayage.worker;

import io.drayage.send.SendReport;

/**
 * How a commit went, by the worker's clock, from its begin until the worker has loaded the
 * snapshot.
 *
 * @param timestamp the snapshot in which it took effect
 * @param send the shipment that was answered
 * @param convertNs from the transaction to its cargo
 * @param publishNs from the transactor's answer until the timestamp was published
 * @param loadNs until the snapshot was loaded; from its publication
 * @param totalNs all of it, from the call to the loaded snapshot
 * @param attempts how often the cargo was sent
 */
public record CommitReport(
    long timestamp,
    SendReport send,
    long convertNs,
    long publishNs,
    long loadNs,
    long totalNs,
    int attempts) {}
