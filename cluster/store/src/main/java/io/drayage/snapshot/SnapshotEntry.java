package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import java.io.IOException;

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
        manifest.isLogEntry() ? checksum : manifest.parentChecksum());
  }

  /**
   * Fails if it was not made on a position.
   *
   * @param store where it is, for messages
   * @throws SnapshotException if it was made on another one
   * @throws ForeignDatabaseException if it is of another database
   */
  public void requireFollows(LogPosition last, String store) throws IOException {
    if (!manifest.database().equals(last.database())) {
      throw new ForeignDatabaseException(
          format(
              "%s: snapshot %d is of database %s, and what is before it of %s",
              store, manifest.timestamp(), manifest.database(), last.database()));
    }
    if (manifest.parentChecksum() != last.checksum()) {
      throw new SnapshotException(
          format(
              "%s: snapshot %d was made on a snapshot %d with checksum %08x, the one here has %08x",
              store,
              manifest.timestamp(),
              manifest.parent(),
              manifest.parentChecksum(),
              last.checksum()));
    }
  }

  /** Whether it was made on an entry, or on the last one of a full snapshot, by no older epoch. */
  public boolean follows(SnapshotEntry before) {
    return manifest.parentChecksum() == before.position().checksum()
        && manifest.epoch() >= before.manifest.epoch();
  }

  /**
   * Fails if its epoch is lower than that of the entry before.
   *
   * @throws SnapshotException if so
   */
  void requireEpoch(long before, String store) throws SnapshotException {
    if (manifest.epoch() < before) {
      throw new SnapshotException(
          format("%s: snapshot %d %s", store, manifest.timestamp(), falls(before)));
    }
  }

  /** The message when a former primary has written after its successor. */
  public String falls(long before) {
    return format(
        "has epoch %d, and the one before it the higher epoch %d", manifest.epoch(), before);
  }
}
