package io.drayage.snapshot;

/**
 * A manifest as it lies in the store.
 *
 * @param checksum the CRC32C of its bytes, which the next entry of the log names
 */
public record SnapshotEntry(SnapshotManifest manifest, int checksum) {}
