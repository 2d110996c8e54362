package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.TableSchema;
import io.drayage.database.LogPosition;
import io.drayage.database.LoggedTransaction;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The description of one snapshot.
 *
 * <p>Commits, ends without effect and takeovers are the entries of the log, one for each timestamp.
 * Storing the entry makes a commit durable. Each entry contains the checksum of the one before, to
 * detect a log of mixed origin. An object of the log holds one entry or several, see {@link
 * LogObject}.
 *
 * @param kind its contents
 * @param database the id of the database, the same in all of its manifests
 * @param timestamp its position in the log; for a full snapshot, the position of the last entry
 *     that it contains
 * @param epoch of the primary that created it
 * @param parentChecksum the checksum of the entry before; for a full snapshot, of the last entry
 *     that it contains. 0 if there is none
 * @param created by the clock of the primary, for display only
 */
public record SnapshotManifest(
    SnapshotKind kind,
    UUID database,
    long timestamp,
    long epoch,
    int parentChecksum,
    Instant created) {
  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public SnapshotManifest {
    if (timestamp < (kind instanceof SnapshotKind.Full ? 0 : 1) || epoch < 0) {
      throw new IllegalArgumentException(
          format("a %s cannot have timestamp %d and epoch %d", kind.text(), timestamp, epoch));
    }
  }

  /** The entry of the log that follows {@code last}. */
  public static SnapshotManifest entry(
      SnapshotKind kind, LogPosition last, long epoch, Instant created) {
    return new SnapshotManifest(
        kind, last.database(), last.timestamp() + 1, epoch, last.checksum(), created);
  }

  /** The full snapshot of the contents of the log up to a position. */
  public static SnapshotManifest full(
      SnapshotKind.Full full, LogPosition at, long epoch, Instant created) {
    return new SnapshotManifest(full, at.database(), at.timestamp(), epoch, at.checksum(), created);
  }

  /** Whether the manifest is an entry of the log, which has one for each timestamp. */
  public boolean isLogEntry() {
    return !(kind instanceof SnapshotKind.Full);
  }

  /** Whether the manifest is the entry of a new primary. */
  public boolean isTakeover() {
    return kind instanceof SnapshotKind.Takeover;
  }

  /** The transaction of a commit; null for others. */
  public @Nullable UUID transactionId() {
    return kind instanceof SnapshotKind.Commit commit ? commit.transaction().id() : null;
  }

  /** The transaction that the entry ends; null for others. */
  public @Nullable LoggedTransaction transaction() {
    return kind.transaction();
  }

  /** The names of the tables that a commit drops before it adds any. */
  public List<String> droppedTables() {
    return kind instanceof SnapshotKind.Commit commit ? commit.droppedTables() : List.of();
  }

  /** The tables that a commit adds unless they exist. */
  public List<TableSchema> newTables() {
    return kind instanceof SnapshotKind.Commit commit ? commit.newTables() : List.of();
  }

  /** The cargoes of the manifest, in the order in which they are applied. */
  public List<SnapshotContents> cargoes() {
    return kind.cargoes();
  }

  /** The contents of a full snapshot. Must not be called on other manifests. */
  public SnapshotKind.Full full() {
    if (kind instanceof SnapshotKind.Full full) {
      return full;
    }
    throw new IllegalStateException("a %s is no full snapshot".formatted(kind.text()));
  }

  /** The bytes of the data of all its cargoes. */
  public long dataBytes() {
    return cargoes().stream().mapToLong(cargo -> cargo.data().digest().bytes()).sum();
  }

  /** The timestamp of the log entry with {@link #parentChecksum}. */
  public long parent() {
    return isLogEntry() ? timestamp - 1 : timestamp;
  }

  /** The objects to which the manifest refers. The data of a small cargo is in the manifest. */
  public List<StoredBytes> references() {
    Stream<StoredBytes> history =
        kind instanceof SnapshotKind.Full full ? Stream.of(full.history()) : Stream.empty();
    return Stream.concat(cargoes().stream().map(SnapshotContents::data), history)
        .filter(StoredBytes::isObject)
        .toList();
  }
}
