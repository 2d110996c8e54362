package io.drayage.isolation;

import java.util.UUID;

/**
 * The answer to a session about its transaction.
 *
 * @param atNs after the answer, by the machine's monotonic clock
 * @param timestamp of its snapshot, if it is committed
 * @param message the reason if it is not committed
 */
public record Ended(
    UUID id, long atNs, TransactionOutcome outcome, long timestamp, String message) {}
