package io.drayage.objectstore;

import java.time.Instant;

/**
 * An entry of the list of a store.
 *
 * @param key its name in the store
 * @param bytes its length
 * @param modified time of its completion, by the store's clock
 */
public record StoredObject(String key, long bytes, Instant modified) {}
