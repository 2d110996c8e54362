package io.drayage.transactor;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.snapshot.LoadingMark;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotChain;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoreIdentity;
import io.drayage.store.AppliedChanges;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * A node's copy of the database, which advances along the log in the object store: each entry is
 * loaded and verified while the previous one is applied.
 *
 * <p>What shows it is thread-safe and never blocks; {@link #advance} excludes itself. An entry that
 * cannot be loaded or applied leaves the copy at the entry before.
 */
public final class Replica implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Replica.class.getName());

  private final SnapshotCatalog catalog;
  private final SnapshotLoader loader;
  private final int threads;
  private final long historyBytes;
  private final Map<UUID, ChangeCargo> own = new ConcurrentHashMap<>();

  private volatile MemoryStore store;

  /** The epoch of the newest entry. */
  private volatile long epoch;

  private final UUID database;
  private final @Nullable DatabaseOrigin origin;

  /** The position in the log. Written by whoever advances it, or by a primary meanwhile. */
  private volatile Position position;

  /** Of the last full snapshot, until the log since then is loaded. Guarded by this. */
  private @Nullable LoadingMark mark;

  /**
   * A position in the log.
   *
   * @param last the newest entry applied, or contained in the full snapshot
   * @param entry that entry; null if none was applied since the full snapshot
   */
  record Position(LogPosition last, @Nullable SnapshotEntry entry) {
    static Position of(SnapshotEntry entry) {
      return new Position(entry.position(), entry);
    }

    static Position ofFull(SnapshotEntry full) {
      return new Position(full.position(), null);
    }

    long timestamp() {
      return last.timestamp();
    }
  }

  private Replica(
      SnapshotCatalog catalog,
      SnapshotLoader loader,
      int threads,
      long historyBytes,
      SnapshotEntry full)
      throws IOException {
    this.catalog = catalog;
    this.loader = loader;
    this.threads = threads;
    this.historyBytes = historyBytes;
    this.database = full.manifest().database();
    this.origin = full.manifest().origin();
    this.store = load(full);
    this.position = Position.ofFull(full);
    this.epoch = full.manifest().epoch();
  }

  /**
   * Loads a full snapshot: the newest, or with {@code historyBytes} the one before it, so that the
   * log since then provides the recent changes.
   *
   * @param objects stays the caller's
   * @param threads threads that decode and apply
   * @param maxCargoBytes maximum raw bytes of a cargo
   * @param historyBytes see {@link MemoryStore}; needed by a node that may become primary
   * @param codecs what may have been used
   * @throws SnapshotException if there is no snapshot, or the log has a gap
   * @throws IOException if the store cannot be read, or an object is corrupt
   * @throws OutOfMemoryError if the snapshot will not fit into the heap, before it is loaded
   */
  public static Replica open(
      ObjectStore objects, int threads, long maxCargoBytes, long historyBytes, AllowedCodecs codecs)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    SnapshotChain chain = catalog.chain();
    if (chain == null) {
      throw new SnapshotException(
          "%s has no database yet: a transactor creates it".formatted(objects.name()), null);
    }
    SnapshotLoader loader = new SnapshotLoader(objects, threads, maxCargoBytes, codecs);
    boolean opened = false;
    try {
      Replica replica = open(catalog, loader, threads, historyBytes, chain.full());
      opened = true;
      return replica;
    } finally {
      if (!opened) {
        loader.close();
      }
    }
  }

  /**
   * Loads the newest full snapshot that is not after a timestamp, without history.
   *
   * @param newest the timestamp; for a worker what is published, since what is newer may never be
   * @throws SnapshotException if there is none so old
   * @throws IOException if the store cannot be read, or an object is corrupt
   */
  public static Replica openUpTo(
      ObjectStore objects, int threads, long maxCargoBytes, AllowedCodecs codecs, long newest)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    SnapshotEntry full = catalog.fullUpTo(newest);
    SnapshotLoader loader = new SnapshotLoader(objects, threads, maxCargoBytes, codecs);
    boolean opened = false;
    try {
      Replica replica = new Replica(catalog, loader, threads, 0, full);
      opened = true;
      return replica;
    } finally {
      if (!opened) {
        loader.close();
      }
    }
  }

  /**
   * A snapshot of the past, without history.
   *
   * @param timestamp its number; empty for the newest
   * @throws SnapshotException if the store does not hold it, naming those that it holds
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
            "%s does not hold snapshot %d, only %d".formatted(objects.name(), wanted, reached),
            null);
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

  private MemoryStore load(SnapshotEntry full) throws IOException {
    endLoading();
    mark = new LoadingMark(catalog.store(), full.manifest().timestamp());
    boolean loaded = false;
    try {
      MemoryStore opened = read(full);
      loaded = true;
      return opened;
    } catch (ShipmentException e) {
      if (e.fault() == Fault.LIMIT) {
        throw tooLarge(e);
      }
      throw e;
    } finally {
      if (!loaded) {
        endLoading();
      }
    }
  }

  /** Before the heap is full, where nothing can be said any more. */
  private OutOfMemoryError tooLarge(ShipmentException cause) {
    OutOfMemoryError error =
        new OutOfMemoryError(
            "the database in %s is too large for this node: %s"
                .formatted(catalog.store().name(), cause.getMessage()));
    // No line of ours is wrong.
    error.setStackTrace(new StackTraceElement[0]);
    return error;
  }

  private MemoryStore read(SnapshotEntry full) throws IOException {
    SnapshotManifest manifest = full.manifest();
    SnapshotContents contents = manifest.contents();
    if (contents == null) {
      throw new SnapshotException(
          "full snapshot %d has no contents".formatted(manifest.timestamp()), null);
    }
    ChangeCargo rows = loader.loadFull(contents);
    StoreSnapshot snapshot;
    try {
      snapshot = FullContents.toSnapshot(manifest.timestamp(), rows);
    } catch (IllegalArgumentException e) {
      throw new SnapshotException(
          "full snapshot %d is no database: %s".formatted(manifest.timestamp(), e.getMessage()), e);
    }
    return new MemoryStore(
        snapshot, catalog.history(full), ForkJoinPool.commonPool(), threads, historyBytes);
  }

  /** The id of the database. */
  public UUID database() {
    return database;
  }

  /** What the database was restored from; null if it was not. */
  @Nullable DatabaseOrigin origin() {
    return origin;
  }

  /** The newest loaded snapshot. */
  public StoreSnapshot snapshot() {
    return store.snapshot();
  }

  /**
   * The changes of the newest snapshot, to be read back from the copy; null if none was applied
   * since the full snapshot was loaded.
   */
  public @Nullable AppliedChanges lastApplied() {
    return store.lastApplied();
  }

  /** The epoch of the newest loaded entry: no entry of an earlier one follows it. */
  public long epoch() {
    return epoch;
  }

  /** The timestamp of a transaction; empty if it is not part of the copy. */
  public OptionalLong timestampOf(UUID transactionId) {
    return store.timestampOf(transactionId);
  }

  /** The transactions that are part of the copy, with their timestamps. */
  public Map<UUID, Long> transactions() {
    return store.transactions();
  }

  /** The store of the copy, to which a primary commits. */
  MemoryStore store() {
    return store;
  }

  /** The log that it follows. */
  SnapshotCatalog catalog() {
    return catalog;
  }

  /** The position in the log; never blocks. */
  Position position() {
    return position;
  }

  /**
   * Keeps a cargo that this node is committing, so that its log entry need not be downloaded. The
   * cargo must not be changed afterwards.
   */
  public void keepOwn(ChangeCargo cargo) {
    own.put(cargo.transactionId(), cargo);
  }

  /** Ends {@link #keepOwn}. */
  public void forgetOwn(UUID transactionId) {
    own.remove(transactionId);
  }

  /**
   * Loads and applies the available log entries up to a timestamp.
   *
   * @return the timestamp reached
   * @throws IOException if an entry cannot be loaded, is corrupt, or does not fit, naming it; those
   *     before it are applied
   */
  public synchronized long advance(long upTo) throws IOException {
    try {
      return snapshot().timestamp() >= upTo ? snapshot().timestamp() : load(upTo);
    } finally {
      // Also if it failed: a node that cannot go on must not hold up the cleaning for ever.
      endLoading();
    }
  }

  /**
   * Loads and applies the log up to what is published, once it is seen that this log has it. So
   * nothing is applied of a log that is not the cluster's.
   *
   * @param cluster who has published it, for messages
   * @return false if the log does not have it yet, or no longer: nothing is applied then
   * @throws ForeignDatabaseException if it is of another database, or this log has another entry in
   *     its place
   * @throws IOException as {@link #advance(long)}
   */
  public synchronized boolean advance(LogPosition published, String cluster) throws IOException {
    StoreIdentity identity = new StoreIdentity(catalog, database, cluster);
    identity.requireDatabase(published);
    try {
      List<SnapshotEntry> entries =
          published.timestamp() > position.timestamp() ? following() : List.of();
      long ahead = published.timestamp() - position.timestamp();
      if (ahead > entries.size()) {
        return false;
      }
      if (ahead < 0) {
        return identity.find(published) == StoreIdentity.Found.HERE;
      }
      identity.requireChecksum(
          published,
          ahead == 0
              ? position.last().checksum()
              : entries.get(Math.toIntExact(ahead) - 1).checksum());
      apply(entries, published.timestamp());
      return true;
    } finally {
      endLoading();
    }
  }

  private synchronized void endLoading() {
    if (mark != null) {
      mark.close();
      mark = null;
    }
  }

  private synchronized long load(long upTo) throws IOException {
    apply(following(), upTo);
    return snapshot().timestamp();
  }

  /** The entries of the log after the position. */
  private synchronized List<SnapshotEntry> following() throws IOException {
    try {
      return catalog.after(position.last(), epoch);
    } catch (SnapshotException e) {
      return reopen(e);
    }
  }

  private synchronized void apply(List<SnapshotEntry> entries, long upTo) throws IOException {
    List<SnapshotEntry> run = new ArrayList<>();
    for (SnapshotEntry entry : entries) {
      if (entry.manifest().timestamp() > upTo) {
        break;
      }
      ChangeCargo mine = ownOf(entry);
      if (mine == null) {
        run.add(entry);
      } else {
        loader.loadInOrder(run, this::apply);
        run.clear();
        apply(entry, mine);
      }
    }
    loader.loadInOrder(run, this::apply);
  }

  private @Nullable ChangeCargo ownOf(SnapshotEntry entry) {
    UUID transactionId = entry.manifest().transactionId();
    return transactionId == null ? null : own.get(transactionId);
  }

  /** The next entries may have been pruned in favour of a newer full snapshot. */
  private List<SnapshotEntry> reopen(SnapshotException cause) throws IOException {
    SnapshotChain chain = catalog.chain();
    if (chain == null || chain.full().manifest().timestamp() <= position.timestamp()) {
      throw cause;
    }
    if (!chain.full().manifest().database().equals(database)) {
      throw new ForeignDatabaseException(
          "%s held database %s, and holds database %s now"
              .formatted(catalog.store().name(), database, chain.full().manifest().database()));
    }
    store = load(chain.full());
    position = Position.ofFull(chain.full());
    epoch = chain.full().manifest().epoch();
    return chain.log();
  }

  private synchronized void apply(SnapshotEntry entry, @Nullable ChangeCargo cargo)
      throws IOException {
    replay(store, entry, cargo);
    follow(entry);
  }

  /** Applies an entry of the log; {@code cargo} is null for a takeover. */
  static void replay(MemoryStore store, SnapshotEntry entry, @Nullable ChangeCargo cargo)
      throws SnapshotException {
    long timestamp = entry.manifest().timestamp();
    try {
      if (cargo == null) {
        store.replayUnchanged(timestamp);
      } else {
        store.replay(cargo, timestamp);
      }
    } catch (ShipmentException e) {
      throw new SnapshotException(
          "snapshot %d does not fit: %s".formatted(timestamp, e.getMessage()), e);
    }
  }

  /**
   * Records an entry that the primary itself has applied and appended: nobody advances during a
   * term. Never blocks.
   */
  void follow(SnapshotEntry entry) {
    position = Position.of(entry);
    epoch = entry.manifest().epoch();
  }

  @Override
  public void close() {
    loader.close();
    endLoading();
  }
}
