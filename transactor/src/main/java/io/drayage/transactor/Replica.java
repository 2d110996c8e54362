package io.drayage.transactor;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.LoadingMark;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotChain;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.store.AppliedChanges;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * A node's copy of the database, which advances along the log in the object store: each entry is
 * loaded and verified while the previous one is applied.
 *
 * <p>{@link #snapshot} is thread-safe and never blocks; {@link #advance} and other changes exclude
 * each other. An entry that cannot be loaded or applied leaves the copy at the entry before.
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

  /** The position in the log. Guarded by this. */
  private Position position;

  /** Of the last full snapshot, until the log since then is loaded. Guarded by this. */
  private @Nullable LoadingMark mark;

  /**
   * A position in the log.
   *
   * @param timestamp of the newest entry applied, or contained in the full snapshot
   * @param checksum of that entry
   * @param entry that entry; null if none was applied since the full snapshot
   */
  record Position(long timestamp, int checksum, @Nullable SnapshotEntry entry) {
    static Position of(SnapshotEntry entry) {
      return new Position(entry.manifest().timestamp(), entry.checksum(), entry);
    }

    static Position ofFull(SnapshotEntry full) {
      SnapshotManifest manifest = full.manifest();
      return new Position(manifest.timestamp(), manifest.parentChecksum(), null);
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
   * @param serializers the names of those that may have been used
   * @throws SnapshotException if there is no snapshot, or the log has a gap
   * @throws IOException if the store cannot be read, or an object is corrupt
   */
  public static Replica open(
      ObjectStore objects,
      int threads,
      long maxCargoBytes,
      long historyBytes,
      Set<String> serializers)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    SnapshotChain chain = catalog.chain();
    if (chain == null) {
      throw new SnapshotException(
          "%s has no database yet: a transactor creates it".formatted(objects.name()), null);
    }
    SnapshotLoader loader = new SnapshotLoader(objects, threads, maxCargoBytes, serializers);
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
   * A snapshot of the past, without history.
   *
   * @param timestamp its number; empty for the newest
   * @throws SnapshotException if the store does not hold it, naming those that it holds
   */
  public static StoreSnapshot read(
      ObjectStore objects,
      int threads,
      long maxCargoBytes,
      Set<String> serializers,
      OptionalLong timestamp)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(objects);
    long wanted = timestamp.orElse(Long.MAX_VALUE);
    SnapshotEntry full = catalog.fullUpTo(wanted);
    try (SnapshotLoader loader = new SnapshotLoader(objects, threads, maxCargoBytes, serializers);
        Replica replica = new Replica(catalog, loader, threads, 0, full)) {
      long reached = replica.advance(wanted);
      if (timestamp.isPresent() && reached != wanted) {
        throw new SnapshotException(
            String.format(
                Locale.ROOT,
                "%s does not hold snapshot %d, only %d",
                objects.name(),
                wanted,
                reached),
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
    } finally {
      if (!loaded) {
        endLoading();
      }
    }
  }

  private MemoryStore read(SnapshotEntry full) throws IOException {
    SnapshotManifest manifest = full.manifest();
    SnapshotContents contents = manifest.contents();
    if (contents == null) {
      throw new SnapshotException(
          String.format(Locale.ROOT, "full snapshot %d has no contents", manifest.timestamp()),
          null);
    }
    ChangeCargo rows = loader.loadFull(contents);
    StoreSnapshot snapshot;
    try {
      snapshot = FullContents.toSnapshot(manifest.timestamp(), rows);
    } catch (IllegalArgumentException e) {
      throw new SnapshotException(
          String.format(
              Locale.ROOT,
              "full snapshot %d is no database: %s",
              manifest.timestamp(),
              e.getMessage()),
          e);
    }
    return new MemoryStore(
        snapshot, catalog.history(full), ForkJoinPool.commonPool(), threads, historyBytes);
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

  /** The position in the log. */
  synchronized Position position() {
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

  private synchronized void endLoading() {
    if (mark != null) {
      mark.close();
      mark = null;
    }
  }

  private synchronized long load(long upTo) throws IOException {
    List<SnapshotEntry> entries;
    try {
      entries = catalog.after(position.timestamp(), position.checksum());
    } catch (SnapshotException e) {
      entries = reopen(e);
    }
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
    return snapshot().timestamp();
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
          String.format(Locale.ROOT, "snapshot %d does not fit: %s", timestamp, e.getMessage()), e);
    }
  }

  /** Records an entry that the primary itself has applied and appended. */
  synchronized void follow(SnapshotEntry entry) {
    position = Position.of(entry);
    epoch = entry.manifest().epoch();
  }

  @Override
  public void close() {
    loader.close();
    endLoading();
  }
}
