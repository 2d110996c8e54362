package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotChain;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotLoader.EntryCargoes;
import io.drayage.store.AppliedDiffersException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a replica, which advances along the log. A new copy replaces it when memory was
 * wrong, or when entries that it needs were deleted.
 *
 * <p>The getters are thread-safe and never block. Only one advance runs at a time.
 */
final class AdvancingCopy implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AdvancingCopy.class.getName());
  private static final long NOTHING = Long.MAX_VALUE;

  private final SnapshotCatalog catalog;
  private final SnapshotLoader loader;
  private final UUID database;
  private final Map<UUID, ChangeCargo> own = new ConcurrentHashMap<>();
  private final LongAdder differences = new LongAdder();

  /** The first entry that is wrong in memory. The next advance loads it again. */
  private final AtomicLong distrusted = new AtomicLong(NOTHING);

  private volatile ReplicaCopy copy;

  /** Guarded by this. */
  private final FullLoader fulls;

  /** The last entry that stayed wrong after everything was reloaded. Guarded by this. */
  private long reloadedFor = NOTHING;

  /**
   * Loads the first full snapshot.
   *
   * @param loader closed with this
   * @throws IOException as {@link FullLoader#load}; then the caller still owns the loader
   */
  AdvancingCopy(
      SnapshotCatalog catalog, SnapshotLoader loader, FullLoader fulls, SnapshotEntry full)
      throws IOException {
    this.catalog = catalog;
    this.loader = loader;
    this.fulls = fulls;
    this.database = full.manifest().database();
    this.copy = fulls.load(full);
  }

  /** The current copy. A later advance may replace it. */
  ReplicaCopy get() {
    return copy;
  }

  /** See {@link Replica#differences}. */
  long differences() {
    return differences.sum();
  }

  /** See {@link Replica#distrust}. */
  void distrust(long timestamp) {
    long unused = distrusted.accumulateAndGet(timestamp, Math::min);
  }

  /** See {@link Replica#keepOwn}. */
  void keepOwn(ChangeCargo cargo) {
    own.put(cargo.transactionId(), cargo);
  }

  void forgetOwn(UUID transactionId) {
    own.remove(transactionId);
  }

  /** See {@link Replica#follow}. */
  void follow(SnapshotEntry entry) {
    copy.follow(entry);
  }

  /** Finds the cargo of an entry in memory; null if the entry must be loaded. */
  interface Kept {
    @Nullable ChangeCargo of(SnapshotEntry entry);
  }

  /** Applies the following entries of the log, from any position of the copy. */
  interface Advance<T> {
    T run(Kept kept) throws IOException;
  }

  /**
   * Advances. If an entry was applied differently than the log says, reads the entry again. If it
   * differs again, loads everything since the last full snapshot.
   *
   * @throws AppliedDiffersException if the entry is applied differently each time
   * @throws IOException as the steps
   */
  synchronized <T> T advance(Advance<T> steps) throws IOException {
    try {
      long wrong = distrusted.get();
      if (wrong != NOTHING) {
        reload(wrong);
      }
      return repeated(steps);
    } finally {
      // Also after a failure: a node that cannot go on must not keep others from deleting.
      fulls.end();
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

  private void noteDifference(AppliedDiffersException e) {
    differences.increment();
    LOG.log(Level.WARNING, "{0}; it is loaded again", e.getMessage());
  }

  /**
   * Loads from the full snapshot before an entry to the position of the copy. If distrusted memory
   * stays wrong, the new copy ends before the wrong entry.
   */
  private synchronized void reload(long wrong) throws IOException {
    SnapshotEntry full = catalog.fullUpTo(wrong - 1);
    requireDatabase(full);
    ReplicaCopy fresh = fulls.load(full);
    List<SnapshotEntry> entries = catalog.after(full);
    long upTo = copy.position().timestamp();
    entries.removeIf(entry -> entry.manifest().timestamp() > upTo);
    boolean done = false;
    try {
      loader.loadInOrder(entries, (entry, cargoes) -> fresh.apply(entry, cargoes));
      requireReached(fresh, Math.min(upTo, wrong - 1));
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

  /** Fails if a late list of the log would make the copy go back. */
  private void requireReached(ReplicaCopy fresh, long timestamp) throws SnapshotException {
    long reached = fresh.position().timestamp();
    if (reached < timestamp) {
      throw new SnapshotException(
          format(
              "%s: the list of the log ends at snapshot %d, but %d was loaded already",
              catalog.store().name(), reached, timestamp));
    }
  }

  /** The entries of the log after the position. Called by an advance. */
  synchronized List<SnapshotEntry> following() throws IOException {
    try {
      return catalog.after(copy.newest());
    } catch (SnapshotException e) {
      return reopen(e);
    }
  }

  /**
   * Applies entries up to a timestamp. Called by an advance.
   *
   * @throws AppliedDiffersException if an entry changes something else here than in the log
   * @throws IOException if an entry cannot be loaded, is corrupt, or does not fit; names the entry
   */
  synchronized void apply(List<SnapshotEntry> entries, long upTo, Kept kept) throws IOException {
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
        apply(entry, EntryCargoes.of(mine));
      }
    }
    loader.loadInOrder(run, this::apply);
  }

  private @Nullable ChangeCargo ownOf(SnapshotEntry entry) {
    UUID transactionId = entry.manifest().transactionId();
    return transactionId == null ? null : own.get(transactionId);
  }

  /** Reopens the log, whose next entries a newer full snapshot may have replaced. */
  private List<SnapshotEntry> reopen(SnapshotException cause) throws IOException {
    SnapshotChain chain = catalog.chain();
    if (chain == null || chain.full().manifest().timestamp() <= copy.position().timestamp()) {
      throw cause;
    }
    requireDatabase(chain.full());
    copy = fulls.load(chain.full());
    return chain.log();
  }

  private void requireDatabase(SnapshotEntry full) throws ForeignDatabaseException {
    if (!full.manifest().database().equals(database)) {
      throw new ForeignDatabaseException(
          "%s held database %s, and holds database %s now"
              .formatted(catalog.store().name(), database, full.manifest().database()));
    }
  }

  private synchronized void apply(SnapshotEntry entry, EntryCargoes cargoes) throws IOException {
    copy.apply(entry, cargoes);
  }

  /** Ends the loads. Waits until a running advance has failed. */
  @Override
  public void close() {
    loader.close();
    endLoading();
  }

  private synchronized void endLoading() {
    fulls.end();
  }
}
