package io.drayage.objectstore;

/**
 * A failed write to a store.
 *
 * @param why the kind of failure
 * @param message the reason, which names the store
 */
public record StoreFailure(WriteFailure why, String message) {}
