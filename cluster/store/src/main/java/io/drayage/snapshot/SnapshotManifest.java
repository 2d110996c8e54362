package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.TableSchema;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.LogPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
 * @param database the id of the database, the same in all of its manifests
 * @param origin what the database was restored from, in a full snapshot of a restored one; else
 *     null
 * @param timestamp its position in the log; for a full snapshot, that of the last entry it contains
 * @param epoch of the primary that created it
 * @param parentChecksum the checksum of the entry before; for a full snapshot, of the last entry it
 *     contains. 0 if there is none
 * @param created by the clock of the primary, for display only
 * @param cluster whose primary took over; null of all but takeovers
 * @param applied the {@link io.drayage.cargo.AppliedDigest} of what the primary applied, read back
 *     from its memory; null unless it is a commit
 * @param transaction what a commit, an abort or an expiry ends; else null
 * @param newTables what the cargoes of a commit add unless it exists, for who does not read them
 * @param cargoes of a commit those of its transaction, in the order in which they are applied; of a
 *     full snapshot the only one; else none
 * @param history the transactions that a full snapshot contains, see {@link CommitHistory}; else
 *     null
 */
public record SnapshotManifest(
    SnapshotKind kind,
    UUID database,
    @Nullable DatabaseOrigin origin,
    long timestamp,
    long epoch,
    int parentChecksum,
    Instant created,
    @Nullable UUID cluster,
    @Nullable Long applied,
    @Nullable LoggedTransaction transaction,
    List<TableSchema> newTables,
    List<SnapshotContents> cargoes,
    @Nullable StoredBytes history) {
  /**
   * @throws IllegalArgumentException if the values contradict each other
   */
  public SnapshotManifest {
    if (timestamp < (kind.isLogEntry() ? 1 : 0) || epoch < 0) {
      throw new IllegalArgumentException(
          format("a %s cannot have timestamp %d and epoch %d", kind.text(), timestamp, epoch));
    }
    newTables = List.copyOf(newTables);
    cargoes = List.copyOf(cargoes);
    if ((transaction == null) == kind.endsTransaction()
        || (kind == SnapshotKind.FULL && cargoes.size() != 1)
        || (kind != SnapshotKind.FULL && kind != SnapshotKind.COMMIT && !cargoes.isEmpty())
        || (kind != SnapshotKind.COMMIT && !newTables.isEmpty())
        || (cluster == null) == (kind == SnapshotKind.TAKEOVER)
        || (applied == null) == (kind == SnapshotKind.COMMIT)
        || (history == null) == (kind == SnapshotKind.FULL)
        || (origin != null && kind != SnapshotKind.FULL)) {
      throw new IllegalArgumentException("a %s cannot have these contents".formatted(kind.text()));
    }
  }

  /** The entry of a commit of one cargo without new tables, which follows {@code last}. */
  public static SnapshotManifest commit(
      LogPosition last, long epoch, Instant created, long applied, SnapshotContents cargo) {
    return commit(
        last, epoch, created, applied, LoggedTransaction.of(cargo), List.of(), List.of(cargo));
  }

  /** The entry of a commit, which follows {@code last}. */
  public static SnapshotManifest commit(
      LogPosition last,
      long epoch,
      Instant created,
      long applied,
      LoggedTransaction transaction,
      List<TableSchema> newTables,
      List<SnapshotContents> cargoes) {
    return entry(
        SnapshotKind.COMMIT, last, epoch, created, null, applied, transaction, newTables, cargoes);
  }

  /**
   * The entry that ends a transaction without effect, which follows {@code last}.
   *
   * @param kind abort or expired
   */
  public static SnapshotManifest end(
      SnapshotKind kind,
      LogPosition last,
      long epoch,
      Instant created,
      LoggedTransaction transaction) {
    return entry(kind, last, epoch, created, null, null, transaction, List.of(), List.of());
  }

  /** The entry of a new primary of a cluster, which follows {@code last}. */
  public static SnapshotManifest takeover(
      LogPosition last, long epoch, Instant created, UUID cluster) {
    return entry(
        SnapshotKind.TAKEOVER, last, epoch, created, cluster, null, null, List.of(), List.of());
  }

  private static SnapshotManifest entry(
      SnapshotKind kind,
      LogPosition last,
      long epoch,
      Instant created,
      @Nullable UUID cluster,
      @Nullable Long applied,
      @Nullable LoggedTransaction transaction,
      List<TableSchema> newTables,
      List<SnapshotContents> cargoes) {
    return new SnapshotManifest(
        kind,
        last.database(),
        null,
        last.timestamp() + 1,
        epoch,
        last.checksum(),
        created,
        cluster,
        applied,
        transaction,
        newTables,
        cargoes,
        null);
  }

  /**
   * The full snapshot of what the log has up to a position.
   *
   * @param origin null unless the database was restored
   */
  public static SnapshotManifest full(
      LogPosition at,
      @Nullable DatabaseOrigin origin,
      long epoch,
      Instant created,
      SnapshotContents contents,
      StoredBytes history) {
    return new SnapshotManifest(
        SnapshotKind.FULL,
        at.database(),
        origin,
        at.timestamp(),
        epoch,
        at.checksum(),
        created,
        null,
        null,
        null,
        List.of(),
        List.of(contents),
        history);
  }

  /** The transaction of a commit; else null. */
  public @Nullable UUID transactionId() {
    return kind == SnapshotKind.COMMIT && transaction != null ? transaction.id() : null;
  }

  /** The transaction that it ends; not to be asked of others. */
  public LoggedTransaction requireTransaction() {
    return Objects.requireNonNull(transaction, "it ends no transaction");
  }

  /** The rows of a full snapshot; not to be asked of others. */
  public SnapshotContents rows() {
    if (kind != SnapshotKind.FULL) {
      throw new IllegalStateException("a %s has no rows".formatted(kind.text()));
    }
    return cargoes.get(0);
  }

  /** How long the data of all of its cargoes is. */
  public long dataBytes() {
    return cargoes.stream().mapToLong(cargo -> cargo.data().digest().bytes()).sum();
  }

  /** The timestamp of the log entry that {@link #parentChecksum} is of. */
  public long parent() {
    return kind.isLogEntry() ? timestamp - 1 : timestamp;
  }

  /** The key under which it is stored. */
  public String key() {
    return new SnapshotKeys.Place(kind.isLogEntry(), timestamp).key();
  }

  /** The objects that it refers to. */
  public List<StoredBytes> references() {
    List<StoredBytes> references = new ArrayList<>();
    cargoes.forEach(cargo -> references.add(cargo.data()));
    if (history != null) {
      references.add(history);
    }
    return references;
  }
}
