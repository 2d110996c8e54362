package io.drayage.database;

import io.drayage.frame.AppVersion;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that an entry of the log ends.
 *
 * @param baseSnapshot on which its cargoes were made
 * @param worker who committed or began it: a name
 * @param app the number that its application gave it; null if it has none, or has no effect
 */
public record LoggedTransaction(
    UUID id, long baseSnapshot, String worker, @Nullable AppVersion app) {}
