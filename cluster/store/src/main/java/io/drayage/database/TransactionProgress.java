package io.drayage.database;

import java.time.Duration;
import java.util.UUID;

/**
 * An open transaction of several workers, as its primary sees it.
 *
 * @param owner who began it
 * @param age since it was begun, or this term
 * @param fragments that were stored in this term
 * @param bytes of them, in the object store
 * @param memoryBytes of memory that they take, as far as they are kept there
 * @param leaseLeft until it expires
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
