package io.drayage.replica;

import io.drayage.cargo.ChangeCargo;
import io.drayage.coordination.AppliedReports;
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
import io.drayage.store.AppliedDiffersException;
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
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's copy of the database, which advances along the log in the object store: each entry is
 * loaded and verified while the previous one is applied.
 *
 * <p>What shows it is thread-safe and never blocks; {@link #advance} excludes itself. An entry that
 * cannot be loaded or applied leaves the copy at the entry before. So does one whose changes have
 * another digest than the log says, after its data was read again, and then all since the last full
 * snapshot.
 */
public final class Replica implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Replica.class.getName());
  private static final long NOTHING = Long.MAX_VALUE;

  private final SnapshotCatalog catalog;
  private final SnapshotLoader loader;
  private final int threads;
  private final long historyBytes;
  private final Map<UUID, ChangeCargo> own = new ConcurrentHashMap<>();

  private final EntryDigests digests = new EntryDigests();
  private final LongAdder differences = new LongAdder();

  /** The first entry that is wrong in memory, which is to be loaded anew. */
  private final AtomicLong distrusted = new AtomicLong(NOTHING);

  private final UUID database;
  private final @Nullable DatabaseOrigin origin;

  private volatile ReplicaCopy copy;
  private volatile Consumer<AppliedDiffersException> whenDifferent = unused -> {};

  /** The last entry for which all was loaded anew in vain. Guarded by this. */
  private long reloadedFor = NOTHING;

  /** Of the last full snapshot, until the log since then is loaded. Guarded by this. */
  private @Nullable LoadingMark mark;

  /**
   * A position in the log.
   *
   * @param last the newest entry applied, or contained in the full snapshot
   * @param entry that entry; null if none was applied since the full snapshot
   */
  public record Position(LogPosition last, @Nullable SnapshotEntry entry) {
    static Position of(SnapshotEntry entry) {
      return new Position(entry.position(), entry);
    }

    static Position ofFull(SnapshotEntry full) {
      return new Position(full.position(), null);
    }

    public long timestamp() {
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
    this.copy = load(full);
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

  private ReplicaCopy load(SnapshotEntry full) throws IOException {
    endLoading();
    mark = new LoadingMark(catalog.store(), full.manifest().timestamp());
    boolean loaded = false;
    try {
      ReplicaCopy opened = new ReplicaCopy(read(full), full);
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

  /** The id of the database. */
  public UUID database() {
    return database;
  }

  /** What the database was restored from; null if it was not. */
  public @Nullable DatabaseOrigin origin() {
    return origin;
  }

  /** The newest loaded snapshot. */
  public StoreSnapshot snapshot() {
    return copy.store().snapshot();
  }

  /**
   * The changes of the newest snapshot, to be read back from the copy; null if none was applied
   * since the full snapshot was loaded.
   */
  public @Nullable AppliedChanges lastApplied() {
    return copy.store().lastApplied();
  }

  /** The epoch of the newest loaded entry: no entry of an earlier one follows it. */
  public long epoch() {
    return copy.epoch();
  }

  /**
   * The checksum of the entry of a snapshot that is part of the copy; 0 if it is not known, as of
   * old ones. Waits for no load.
   */
  public int checksum(long timestamp) {
    return copy.checksum(timestamp);
  }

  /** The timestamp of a transaction; empty if it is not part of the copy. */
  public OptionalLong timestampOf(UUID transactionId) {
    return copy.store().timestampOf(transactionId);
  }

  /** The transactions that are part of the copy, with their timestamps. */
  public Map<UUID, Long> transactions() {
    return copy.store().transactions();
  }

  /** The store of the copy, to which a primary commits. */
  public MemoryStore store() {
    return copy.store();
  }

  /** The log that it follows. */
  public SnapshotCatalog catalog() {
    return catalog;
  }

  /** The position in the log; never blocks. */
  public Position position() {
    return copy.position();
  }

  /** Entries that were applied differently than the log says, also those that were not again. */
  public long differences() {
    return differences.sum();
  }

  /** Called by the thread that advances, without a lock, at each attempt that ends with it. */
  public void whenDifferent(Consumer<AppliedDiffersException> listener) {
    whenDifferent = listener;
  }

  /** Notes what other nodes say; returns the first entry that is wrong in memory by that. */
  public OptionalLong learn(AppliedReports reports) {
    return digests.learn(reports);
  }

  /** Memory is wrong from an entry on: before it advances again, it is loaded anew. */
  public void distrust(long timestamp) {
    long unused = distrusted.accumulateAndGet(timestamp, Math::min);
  }

  public boolean isDistrusted() {
    return distrusted.get() != NOTHING;
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
   * @throws AppliedDiffersException if an entry changes something else here than in the log
   * @throws IOException if an entry cannot be loaded, is corrupt, or does not fit, naming it; those
   *     before it are applied
   */
  public long advance(long upTo) throws IOException {
    return advance(
        kept -> {
          if (snapshot().timestamp() < upTo) {
            apply(following(), upTo, kept);
          }
          return snapshot().timestamp();
        });
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
  public boolean advance(LogPosition published, String cluster) throws IOException {
    StoreIdentity identity = new StoreIdentity(catalog, database, cluster);
    identity.requireDatabase(published);
    return advance(kept -> advance(published, identity, kept));
  }

  private boolean advance(LogPosition published, StoreIdentity identity, Kept kept)
      throws IOException {
    boolean isBehind = published.timestamp() > position().timestamp();
    List<SnapshotEntry> entries = isBehind ? following() : List.of();
    long ahead = published.timestamp() - position().timestamp();
    if (ahead > entries.size()) {
      return false;
    }
    if (ahead < 0) {
      return identity.find(published) == StoreIdentity.Found.HERE;
    }
    identity.requireChecksum(
        published,
        ahead == 0
            ? position().last().checksum()
            : entries.get(Math.toIntExact(ahead) - 1).checksum());
    apply(entries, published.timestamp(), kept);
    return true;
  }

  /** The cargo of an entry if it need not be loaded, else null. */
  @FunctionalInterface
  private interface Kept {
    @Nullable ChangeCargo of(SnapshotEntry entry);
  }

  /** Applies what follows in the log, from wherever the copy is. */
  @FunctionalInterface
  private interface Advance<T> {
    T run(Kept kept) throws IOException;
  }

  private <T> T advance(Advance<T> steps) throws IOException {
    try {
      return advanceOnce(steps);
    } catch (AppliedDiffersException e) {
      whenDifferent.accept(e);
      throw e;
    }
  }

  private synchronized <T> T advanceOnce(Advance<T> steps) throws IOException {
    try {
      long wrong = distrusted.get();
      if (wrong != NOTHING) {
        reload(wrong);
      }
      return repeated(steps);
    } finally {
      // Also if it failed: a node that cannot go on must not hold up the cleaning for ever.
      endLoading();
    }
  }

  private synchronized <T> T repeated(Advance<T> steps) throws IOException {
    try {
      return steps.run(this::ownOf);
    } catch (AppliedDiffersException e) {
      if (e.timestamp() == reloadedFor) {
        throw e;
      }
      noteDifference(e);
    }
    try {
      return steps.run(unused -> null);
    } catch (AppliedDiffersException e) {
      noteDifference(e);
      reloadedFor = e.timestamp();
      reload(e.timestamp());
      return steps.run(unused -> null);
    }
  }

  private synchronized void endLoading() {
    if (mark != null) {
      mark.close();
      mark = null;
    }
  }

  private void noteDifference(AppliedDiffersException e) {
    differences.increment();
    LOG.log(Level.WARNING, "{0}; it is loaded again", e.getMessage());
  }

  /**
   * Begins with the full snapshot before an entry, up to where the copy is. Of what is wrong in
   * memory, only so much is shown as is right.
   */
  private synchronized void reload(long wrong) throws IOException {
    SnapshotEntry full = catalog.fullUpTo(wrong - 1);
    requireDatabase(full);
    ReplicaCopy fresh = load(full);
    List<SnapshotEntry> entries = catalog.after(full);
    long upTo = position().timestamp();
    entries.removeIf(entry -> entry.manifest().timestamp() > upTo);
    digests.clear();
    boolean done = false;
    try {
      loader.loadInOrder(entries, (entry, cargo) -> fresh.apply(entry, cargo, digests));
      done = true;
    } catch (AppliedDiffersException e) {
      done = distrusted.get() == wrong;
      throw e;
    } finally {
      if (done) {
        copy = fresh;
        boolean unused = distrusted.compareAndSet(wrong, NOTHING);
      }
    }
  }

  /** The entries of the log after the position. */
  private synchronized List<SnapshotEntry> following() throws IOException {
    try {
      return catalog.after(position().last(), epoch());
    } catch (SnapshotException e) {
      return reopen(e);
    }
  }

  private synchronized void apply(List<SnapshotEntry> entries, long upTo, Kept kept)
      throws IOException {
    List<SnapshotEntry> run = new ArrayList<>();
    for (SnapshotEntry entry : entries) {
      if (entry.manifest().timestamp() > upTo) {
        break;
      }
      ChangeCargo mine = kept.of(entry);
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
    if (chain == null || chain.full().manifest().timestamp() <= copy.position().timestamp()) {
      throw cause;
    }
    requireDatabase(chain.full());
    copy = load(chain.full());
    digests.clear();
    return chain.log();
  }

  private void requireDatabase(SnapshotEntry full) throws ForeignDatabaseException {
    if (!full.manifest().database().equals(database)) {
      throw new ForeignDatabaseException(
          "%s held database %s, and holds database %s now"
              .formatted(catalog.store().name(), database, full.manifest().database()));
    }
  }

  private synchronized void apply(SnapshotEntry entry, @Nullable ChangeCargo cargo)
      throws IOException {
    copy.apply(entry, cargo, digests);
  }

  /**
   * Records an entry that the primary itself has applied and appended: nobody advances during a
   * term. Waits for no load.
   */
  public void follow(SnapshotEntry entry) {
    copy.follow(entry);
    digests.add(entry, entry.manifest().applied());
  }

  @Override
  public void close() {
    loader.close();
    endLoading();
  }
}
