package io.drayage.database;

import java.util.UUID;

/**
 * What a restored database was made from.
 *
 * @param database the id of the other database
 * @param timestamp the newest of its snapshots that was restored: up to there both are the same
 */
public record DatabaseOrigin(UUID database, long timestamp) {}
