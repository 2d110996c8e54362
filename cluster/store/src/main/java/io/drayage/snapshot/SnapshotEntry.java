package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import java.io.IOException;

/**
 * A manifest as stored.
 *
 * @param checksum the CRC32C of its bytes, to which the next log entry refers
 * @param first the timestamp of the first manifest in its object
 * @param last the timestamp of the last manifest in its object
 */
public record SnapshotEntry(SnapshotManifest manifest, int checksum, long first, long last) {
  /** A manifest that has its object for itself. */
  public SnapshotEntry(SnapshotManifest manifest, int checksum) {
    this(manifest, checksum, manifest.timestamp(), manifest.timestamp());
  }

  /** The key of its object in the store. */
  public String key() {
    return place().key();
  }

  /** The name of the manifest: its key, with its timestamp if others are in the same object. */
  public String name() {
    return first == last ? key() : format("%s, snapshot %d", key(), manifest.timestamp());
  }

  /** The place of its object. */
  public SnapshotKeys.Place place() {
    return new SnapshotKeys.Place(manifest.isLogEntry(), first);
  }

  /** Whether no later entry is in the same object. */
  public boolean endsObject() {
    return manifest.timestamp() == last;
  }

  /** The place in the log; for a full snapshot, the place of the last entry that it contains. */
  public LogPosition position() {
    return new LogPosition(
        manifest.database(),
        manifest.timestamp(),
        manifest.isLogEntry() ? checksum : manifest.parentChecksum());
  }

  /**
   * Fails if the manifest was not made on a position.
   *
   * @param store its location, for messages
   * @throws SnapshotException if the manifest was made on another position
   * @throws ForeignDatabaseException if the manifest belongs to another database
   */
  public void requireFollows(LogPosition last, String store) throws IOException {
    if (!manifest.database().equals(last.database())) {
      throw new ForeignDatabaseException(
          format(
              "%s: snapshot %d is of database %s, and the snapshot before it of %s",
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
   * Fails if the epoch is lower than that of the entry before.
   *
   * @throws SnapshotException in that case
   */
  void requireEpoch(long before, String store) throws SnapshotException {
    if (manifest.epoch() < before) {
      throw new SnapshotException(
          format("%s: snapshot %d %s", store, manifest.timestamp(), falls(before)));
    }
  }

  /** The message for an entry that a former primary has written after its successor. */
  public String falls(long before) {
    return format(
        "has epoch %d, and the one before it the higher epoch %d", manifest.epoch(), before);
  }
}
