package io.drayage.isolation;

import java.util.UUID;

/** A transaction that is found in the log, with the timestamp of its snapshot. */
public record Logged(UUID id, long timestamp) {}
