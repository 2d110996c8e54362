package io.drayage.worker;

import io.drayage.send.SendReport;

/**
 * The timings of a commit until its snapshot is loaded, by the worker's clock.
 *
 * @param timestamp the snapshot that it created
 * @param send the shipment that was acknowledged
 * @param convertNs from the transaction to its cargo
 * @param publishNs from the transactor's answer until the timestamp was published
 * @param loadNs from the publication until the snapshot was loaded
 * @param totalNs from the call to the loaded snapshot
 * @param attempts number of times that the cargo was sent
 */
public record CommitReport(
    long timestamp,
    SendReport send,
    long convertNs,
    long publishNs,
    long loadNs,
    long totalNs,
    int attempts) {}
