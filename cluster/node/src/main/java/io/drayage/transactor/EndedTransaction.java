package io.drayage.transactor;

import java.util.UUID;

/**
 * A transaction of several workers that ended without effect, by a published entry of the log.
 *
 * @param transaction its id
 * @param worker the worker that began it; {@code unknown} if its record is damaged
 * @param expired whether nobody renewed its lease, or its record is damaged; else it was aborted,
 *     or its commit had already taken effect as a version of its application
 * @param timestamp of the entry
 */
public record EndedTransaction(UUID transaction, String worker, boolean expired, long timestamp) {}
