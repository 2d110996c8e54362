package io.drayage.database;

import java.time.Duration;
import java.util.UUID;

/**
 * An open transaction of several workers, as its primary knows it.
 *
 * @param owner the worker that began it
 * @param age since its begin, or since the begin of this term
 * @param fragments the number of fragments stored in this term
 * @param bytes of these fragments in the object store
 * @param memoryBytes of the fragments that are kept in memory
 * @param leaseLeft the time until its lease expires
 * @param committing whether it is being committed
 */
public record TransactionProgress(
    UUID id,
    String owner,
    Duration age,
    int fragments,
    long bytes,
    long memoryBytes,
    Duration leaseLeft,
    boolean committing) {}
