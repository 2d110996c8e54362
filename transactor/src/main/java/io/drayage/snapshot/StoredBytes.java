package io.drayage.snapshot;

import io.drayage.objectstore.ObjectDigest;

/**
 * An object to which a manifest refers.
 *
 * @param key its key
 * @param digest its expected contents
 */
public record StoredBytes(String key, ObjectDigest digest) {}
