package io.drayage.coordination;

/**
 * What the cluster is told of the database.
 *
 * @param timestamp of the current snapshot, which every node can load
 * @param epoch of the primary that said so
 */
public record Published(long timestamp, long epoch) {}
