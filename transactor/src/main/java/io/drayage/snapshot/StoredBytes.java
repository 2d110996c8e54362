package io.drayage.snapshot;

import io.drayage.objectstore.ObjectDigest;

/**
 * An object that a manifest refers to.
 *
 * @param key where it lies
 * @param digest what it has to hold
 */
public record StoredBytes(String key, ObjectDigest digest) {}
