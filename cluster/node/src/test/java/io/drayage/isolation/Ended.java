package io.drayage.isolation;

import java.util.UUID;

/**
 * What a session was told of its transaction.
 *
 * @param atNs after the answer, by the machine's monotonic clock
 * @param timestamp of its snapshot, if it is committed
 * @param message why it is not
 */
public record Ended(UUID id, long atNs, Outcome outcome, long timestamp, String message) {}
