package io.drayage.coordination;

/**
 * The published state of the database.
 *
 * @param timestamp the timestamp of the current snapshot, which every node can load
 * @param epoch the epoch of the primary that published it
 */
public record PublishedSnapshot(long timestamp, long epoch) {}
