package io.drayage.snapshot;

/**
 * A manifest as stored.
 *
 * @param checksum the CRC32C of its bytes, to which the next log entry refers
 */
public record SnapshotEntry(SnapshotManifest manifest, int checksum) {}
