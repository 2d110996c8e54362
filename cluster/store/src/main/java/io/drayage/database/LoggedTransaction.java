package io.drayage.database;

import io.drayage.frame.AppVersion;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that an entry of the log ends.
 *
 * @param baseSnapshot the snapshot that its cargoes were made on
 * @param worker the name of the worker that committed or began it
 * @param app the number that its application gave it; null if it has none, or has no effect
 */
public record LoggedTransaction(
    UUID id, long baseSnapshot, String worker, @Nullable AppVersion app) {}
