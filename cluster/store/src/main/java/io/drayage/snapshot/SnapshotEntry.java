package io.drayage.snapshot;

import io.drayage.database.LogPosition;

/**
 * A manifest as stored.
 *
 * @param checksum the CRC32C of its bytes, to which the next log entry refers
 */
public record SnapshotEntry(SnapshotManifest manifest, int checksum) {
  /** Its place in the log; that of the last entry that it contains if it is a full snapshot. */
  public LogPosition position() {
    return new LogPosition(
        manifest.database(),
        manifest.timestamp(),
        manifest.kind().isLogEntry() ? checksum : manifest.parentChecksum());
  }
}
