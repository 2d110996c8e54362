package io.drayage.snapshot;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Describes one snapshot.
 *
 * <p>Log entries, which are commits and takeovers, have a place each: the timestamp. Creating the
 * entry in the object store, which only one can, is what makes a commit durable and decides who was
 * first. Each names the checksum of the entry before, so that a log whose parts do not belong
 * together shows.
 *
 * @param kind what it describes
 * @param timestamp its place in the log; of a full snapshot, that of the last entry it contains
 * @param epoch of the primary that made it
 * @param parentChecksum the checksum of the entry before; of a full snapshot, that of the last
 *     entry it contains. 0 if there is none
 * @param created by the clock of the primary, for people to read
 * @param contents what it holds; null of a takeover
 * @param history the transactions that a full snapshot contains, see {@link CommitHistory}; null of
 *     the others
 */
public record SnapshotManifest(
    SnapshotKind kind,
    long timestamp,
    long epoch,
    int parentChecksum,
    Instant created,
    @Nullable SnapshotContents contents,
    @Nullable StoredBytes history) {
  /**
   * @throws IllegalArgumentException if they contradict each other
   */
  public SnapshotManifest {
    if (timestamp < (kind.isLogEntry() ? 1 : 0) || epoch < 0) {
      throw new IllegalArgumentException(
          "a %s cannot have timestamp %d and epoch %d".formatted(kind.text(), timestamp, epoch));
    }
    if ((contents == null) != (kind == SnapshotKind.TAKEOVER)
        || (history == null) == (kind == SnapshotKind.FULL)) {
      throw new IllegalArgumentException("a %s cannot have such contents".formatted(kind.text()));
    }
  }

  /** The entry of a commit. */
  public static SnapshotManifest commit(
      long timestamp, long epoch, int parentChecksum, Instant created, SnapshotContents contents) {
    return new SnapshotManifest(
        SnapshotKind.COMMIT, timestamp, epoch, parentChecksum, created, contents, null);
  }

  /** The entry of a new primary. */
  public static SnapshotManifest takeover(
      long timestamp, long epoch, int parentChecksum, Instant created) {
    return new SnapshotManifest(
        SnapshotKind.TAKEOVER, timestamp, epoch, parentChecksum, created, null, null);
  }

  /** The transaction that a commit took effect for; null of the others. */
  public @Nullable UUID transactionId() {
    return kind == SnapshotKind.COMMIT && contents != null
        ? contents.header().transactionId()
        : null;
  }

  /** The timestamp of the log entry that {@link #parentChecksum} is of. */
  public long parent() {
    return kind.isLogEntry() ? timestamp - 1 : timestamp;
  }

  /** Where it is stored. */
  public String key() {
    return SnapshotKeys.manifest(kind.isLogEntry(), timestamp);
  }
}
