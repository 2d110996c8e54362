package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotChain;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.StoreIdentity;
import io.drayage.snapshot.transaction.TransactionEnds;
import io.drayage.store.AppliedChanges;
import io.drayage.store.AppliedDiffersException;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node's copy of the database, which advances along the log in the object store. It loads and
 * verifies each entry while the previous one is applied.
 *
 * <p>The getters are thread-safe and never block. Only one {@link #advance} runs at a time. An
 * entry that cannot be loaded or applied leaves the copy at the entry before. An entry whose
 * changes have another digest than the log says is read again, then everything since the last full
 * snapshot. If the digest still differs, the copy stays at the entry before.
 */
public final class Replica implements TransactionEnds, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Replica.class.getName());

  private final SnapshotCatalog catalog;
  private final UUID database;
  private final @Nullable DatabaseOrigin origin;
  private final AdvancingCopy copy;

  private Replica(
      SnapshotCatalog catalog,
      SnapshotLoader loader,
      int threads,
      long historyBytes,
      SnapshotEntry full)
      throws IOException {
    this.catalog = catalog;
    this.database = full.manifest().database();
    this.origin = full.manifest().full().origin();
    FullLoader fulls = new FullLoader(catalog, loader, threads, historyBytes);
    this.copy = new AdvancingCopy(catalog, loader, fulls, full);
  }

  /**
   * Loads the newest full snapshot. With {@code historyBytes}, loads the full snapshot before it,
   * so that the log since then provides the recent changes.
   *
   * @param objects owned by the caller
   * @param threads number of threads that decode and apply
   * @param maxCargoBytes maximum raw bytes of a cargo
   * @param historyBytes see {@link MemoryStore}; needed by a node that may become primary
   * @param codecs the codecs that commits may have used
   * @throws SnapshotException if there is no snapshot, or the log has a gap
   * @throws IOException if the store cannot be read, or an object is corrupt
   * @throws OutOfMemoryError if the snapshot does not fit into the heap; thrown before it is loaded
   */
  public static Replica open(
      ObjectStore objects, int threads, long maxCargoBytes, long historyBytes, AllowedCodecs codecs)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    SnapshotChain chain = catalog.chain();
    if (chain == null) {
      throw new SnapshotException(
          "%s has no database yet: a transactor creates it".formatted(objects.name()));
    }
    SnapshotLoader loader = new SnapshotLoader(objects, threads, maxCargoBytes, codecs);
    try (Begun begun = new Begun(loader::close)) {
      return begun.keep(open(catalog, loader, threads, historyBytes, chain.full()));
    }
  }

  /**
   * Loads the newest full snapshot that is not after a timestamp, without history.
   *
   * @param newest the timestamp; for a worker the published one, since a newer one may never be
   * @throws SnapshotException if there is no full snapshot up to the timestamp
   * @throws IOException if the store cannot be read, or an object is corrupt
   */
  public static Replica openUpTo(
      ObjectStore objects, int threads, long maxCargoBytes, AllowedCodecs codecs, long newest)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    SnapshotEntry full = catalog.fullUpTo(newest);
    SnapshotLoader loader = new SnapshotLoader(objects, threads, maxCargoBytes, codecs);
    try (Begun begun = new Begun(loader::close)) {
      return begun.keep(new Replica(catalog, loader, threads, 0, full));
    }
  }

  /**
   * Reads a snapshot of the past, without history.
   *
   * @param timestamp its number; empty for the newest
   * @throws SnapshotException if the store does not hold it; names the snapshots that it holds
   */
  public static StoreSnapshot read(
      ObjectStore objects,
      int threads,
      long maxCargoBytes,
      AllowedCodecs codecs,
      OptionalLong timestamp)
      throws IOException {
    long wanted = timestamp.orElse(Long.MAX_VALUE);
    try (Replica replica = openUpTo(objects, threads, maxCargoBytes, codecs, wanted)) {
      long reached = replica.advance(wanted);
      if (timestamp.isPresent() && reached != wanted) {
        throw new SnapshotException(
            format("%s does not hold snapshot %d, only up to %d", objects.name(), wanted, reached));
      }
      return replica.snapshot();
    }
  }

  private static Replica open(
      SnapshotCatalog catalog,
      SnapshotLoader loader,
      int threads,
      long historyBytes,
      SnapshotEntry newest)
      throws IOException {
    if (historyBytes > 0) {
      try {
        SnapshotChain chain = catalog.longChain();
        if (chain != null) {
          return new Replica(catalog, loader, threads, historyBytes, chain.full());
        }
      } catch (IOException e) {
        LOG.log(
            Level.WARNING,
            "begins with full snapshot {0}, without a history of changes before it: {1}",
            Long.toString(newest.manifest().timestamp()),
            e.getMessage());
      }
    }
    return new Replica(catalog, loader, threads, historyBytes, newest);
  }

  /** The id of the database. */
  public UUID database() {
    return database;
  }

  /** The database from which this one was restored; null if it was not restored. */
  public @Nullable DatabaseOrigin origin() {
    return origin;
  }

  /** The newest loaded snapshot. */
  public StoreSnapshot snapshot() {
    return copy.get().store().snapshot();
  }

  /**
   * The changes of the newest snapshot, which are read from the copy on demand; null if none was
   * applied since the full snapshot was loaded.
   */
  public @Nullable AppliedChanges lastApplied() {
    return copy.get().store().lastApplied();
  }

  /**
   * The checksum of the entry of a snapshot in the copy; 0 if it is unknown, as for old snapshots.
   * Does not wait for a load.
   */
  public int checksum(long timestamp) {
    return copy.get().checksum(timestamp);
  }

  /** The timestamp of a transaction; empty if the copy does not contain it. */
  public OptionalLong timestampOf(UUID transactionId) {
    return copy.get().store().timestampOf(transactionId);
  }

  /** The transactions in the copy, with their timestamps. */
  public Map<UUID, Long> transactions() {
    return copy.get().store().known().committed();
  }

  /** The end of a transaction, as {@link MemoryStore#endOf}. Never blocks. */
  @Override
  public OptionalLong endOf(UUID transactionId) {
    return copy.get().store().endOf(transactionId);
  }

  @Override
  public long knownSince() {
    return copy.get().store().endsKnownSince();
  }

  /** The store of the copy, to which a primary commits. */
  public MemoryStore store() {
    return copy.get().store();
  }

  /** The log that the replica follows. */
  public SnapshotCatalog catalog() {
    return catalog;
  }

  /** The newest applied entry, or the full snapshot if none was applied since. Never blocks. */
  public SnapshotEntry newest() {
    return copy.get().newest();
  }

  /** The epoch of {@link #newest}. No later entry has a lower epoch. Never blocks. */
  public long epoch() {
    return newest().manifest().epoch();
  }

  /** The position of {@link #newest}. Never blocks. */
  public LogPosition position() {
    return newest().position();
  }

  /** Number of entries that were applied differently than the log says, also if a retry helped. */
  public long differences() {
    return copy.differences();
  }

  /** Marks memory as wrong from an entry on. The next advance loads it again first. */
  public void distrust(long timestamp) {
    copy.distrust(timestamp);
  }

  /**
   * Keeps a cargo that this node is committing, so that its log entry need not be downloaded. The
   * caller must not change the cargo afterwards.
   */
  public void keepOwn(ChangeCargo cargo) {
    copy.keepOwn(cargo);
  }

  /** Ends {@link #keepOwn}. */
  public void forgetOwn(UUID transactionId) {
    copy.forgetOwn(transactionId);
  }

  /**
   * Loads and applies the available log entries up to a timestamp.
   *
   * @return the timestamp reached
   * @throws AppliedDiffersException if an entry changes something else here than in the log
   * @throws IOException if an entry cannot be loaded, is corrupt, or does not fit; names the entry;
   *     earlier entries are applied
   */
  public long advance(long upTo) throws IOException {
    return copy.advance(
        kept -> {
          if (snapshot().timestamp() < upTo) {
            copy.apply(copy.following(), upTo, kept);
          }
          return snapshot().timestamp();
        });
  }

  /**
   * Loads and applies the log up to a published position, after it has found the position in this
   * log. So it applies nothing from a log of another cluster.
   *
   * @param cluster the publisher, for messages
   * @return false if the log does not have the position yet, or no longer; then nothing is applied
   * @throws ForeignDatabaseException if the position is of another database, or this log has
   *     another entry in its place
   * @throws IOException as {@link #advance(long)}
   */
  public boolean advance(LogPosition published, String cluster) throws IOException {
    StoreIdentity identity = new StoreIdentity(catalog, database, cluster);
    identity.requireDatabase(published);
    return copy.advance(kept -> advance(published, identity, kept));
  }

  private boolean advance(LogPosition published, StoreIdentity identity, AdvancingCopy.Kept kept)
      throws IOException {
    boolean isBehind = published.timestamp() > position().timestamp();
    List<SnapshotEntry> entries = isBehind ? copy.following() : List.of();
    long ahead = published.timestamp() - position().timestamp();
    if (ahead > entries.size()) {
      return false;
    }
    if (ahead < 0) {
      return identity.find(published) == StoreIdentity.Found.HERE;
    }
    identity.requireChecksum(
        published,
        ahead == 0 ? position().checksum() : entries.get(Math.toIntExact(ahead) - 1).checksum());
    copy.apply(entries, published.timestamp(), kept);
    return true;
  }

  /**
   * Records an entry that the primary has applied and appended. During a term, nothing else
   * advances the replica. Does not wait for a load.
   */
  public void follow(SnapshotEntry entry) {
    copy.follow(entry);
  }

  @Override
  public void close() {
    copy.close();
  }
}
