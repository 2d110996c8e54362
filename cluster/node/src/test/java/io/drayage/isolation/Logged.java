package io.drayage.isolation;

import java.util.UUID;

/** A transaction in the log, with the timestamp of its snapshot. */
public record Logged(UUID id, long timestamp) {}
