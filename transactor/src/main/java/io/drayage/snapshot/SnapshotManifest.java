package io.drayage.snapshot;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The description of one snapshot.
 *
 * <p>Commits and takeovers are the entries of the log, one for each timestamp. Creating the entry
 * in the object store makes a commit durable. Only one node can create it, which decides races.
 * Each entry contains the checksum of the one before, which detects a log of mixed origin.
 *
 * @param kind commit, takeover or full snapshot
 * @param timestamp its position in the log; for a full snapshot, that of the last entry it contains
 * @param epoch of the primary that created it
 * @param parentChecksum the checksum of the entry before; for a full snapshot, of the last entry it
 *     contains. 0 if there is none
 * @param created by the clock of the primary, for display only
 * @param contents its cargo; null for a takeover
 * @param history the transactions that a full snapshot contains, see {@link CommitHistory}; else
 *     null
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
   * @throws IllegalArgumentException if the values contradict each other
   */
  public SnapshotManifest {
    if (timestamp < (kind.isLogEntry() ? 1 : 0) || epoch < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a %s cannot have timestamp %d and epoch %d",
              kind.text(),
              timestamp,
              epoch));
    }
    if ((contents == null) != (kind == SnapshotKind.TAKEOVER)
        || (history == null) == (kind == SnapshotKind.FULL)) {
      throw new IllegalArgumentException("a %s cannot have these contents".formatted(kind.text()));
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

  /** The transaction of a commit; else null. */
  public @Nullable UUID transactionId() {
    return kind == SnapshotKind.COMMIT && contents != null
        ? contents.header().transactionId()
        : null;
  }

  /** The timestamp of the log entry that {@link #parentChecksum} is of. */
  public long parent() {
    return kind.isLogEntry() ? timestamp - 1 : timestamp;
  }

  /** The key under which it is stored. */
  public String key() {
    return SnapshotKeys.manifest(kind.isLogEntry(), timestamp);
  }
}
