package io.drayage.database;

import java.util.UUID;

/**
 * The origin of a restored database.
 *
 * @param database the id of the other database
 * @param timestamp the newest snapshot that was restored from it: up to there both are the same
 */
public record DatabaseOrigin(UUID database, long timestamp) {}
