package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.KnownTransactions;
import io.drayage.database.Lag;
import io.drayage.database.LogPosition;
import io.drayage.internal.Begun;
import io.drayage.internal.Waits;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.replica.ClusterStore;
import io.drayage.replica.LagMeter;
import io.drayage.replica.ReplicaCopy;
import io.drayage.snapshot.LoadingMark;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.StoreIdentity;
import io.drayage.store.AppliedChanges;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Every committed change after a snapshot, once, in the order of the commits. A change is loaded on
 * demand, so a slow consumer delays nothing. Memory holds the cargo of one change, and the feed's
 * own copy of the database. The copy gives the numbers of inserted rows and the values before a
 * change.
 *
 * <p>The position is a snapshot's number. A consumer stores the position of the last processed
 * change, best together with its own result, and opens the next feed after it. A request for the
 * next change says that the previous one is processed.
 *
 * <p>While a feed is open, the log from its position on is kept, unless the feed may not write to
 * the store. After a feed is closed, the log since the full snapshot before the newest is kept.
 * After a process has died, its log is kept for some more minutes.
 *
 * <p>For one thread, except {@link #close}, {@link #position} and {@link #published}. A failure
 * does not move the position, and the request may be repeated.
 */
public final class ChangeFeed implements AutoCloseable {
  private static final long KEEP_NS = TimeUnit.MINUTES.toNanos(1);

  private final SnapshotCatalog catalog;
  private final SnapshotLoader loader;
  private final ReplicaCopy copy;

  private final LagMeter meter = new LagMeter();
  private final Runnable end;

  /** The full snapshot from which on the log is kept. */
  private long kept;

  private final LoadingMark mark;

  private long keptNs = System.nanoTime();

  /**
   * The entries after the position that are in one object of the log, if they were read already.
   */
  private final Queue<SnapshotEntry> together = new ArrayDeque<>();

  private final StoreIdentity identity;

  /** The newest timestamp up to which the log is known to be the cluster's. */
  private long compared;

  /** Guarded by this, as is {@code closed}. */
  private LogPosition published;

  private boolean closed;

  private ChangeFeed(
      WorkerOptions options,
      Coordination coordination,
      ObjectStore objects,
      LogPosition published,
      long position)
      throws IOException {
    this.catalog = new SnapshotCatalog(objects);
    this.identity = new StoreIdentity(catalog, published.database(), coordination.name());
    this.published = published;
    this.compared = published.timestamp();
    this.kept = fullUpTo(position);
    this.mark = new LoadingMark(objects, kept);
    try (Begun begun = new Begun(mark::close)) {
      this.loader =
          new SnapshotLoader(objects, options.threads(), options.maxCargoBytes(), options.codecs());
      begun.add(loader::close);
      this.copy =
          ReplicaCopy.load(
              loader, catalog.full(kept), KnownTransactions.NONE, options.threads(), 0);
      begun.add(coordination.watchPublished(this::publish)::close);
      this.end = begun.keep();
    }
  }

  /**
   * Opens a feed after the newest published snapshot, which {@link #snapshot} returns.
   *
   * @throws IOException as {@link #openAfter}
   */
  public static ChangeFeed openNewest(
      WorkerOptions options, Coordination coordination, ObjectStore objects) throws IOException {
    LogPosition newest = published(options, coordination, objects);
    return openAfter(options, coordination, objects, newest, newest.timestamp());
  }

  /**
   * Opens a feed after a snapshot.
   *
   * @param options its threads, cargo limit and codecs; a feed does not join the cluster
   * @param coordination owned by the caller, as is the store
   * @param position the snapshot before the first change
   * @throws SnapshotException if the position is not published, or the log no longer has the next
   *     entry; names both
   * @throws io.drayage.coordination.CoordinationException if there is no cluster
   * @throws io.drayage.database.ForeignDatabaseException if the store does not hold its database
   * @throws IOException if the store or the coordination cannot be used
   */
  public static ChangeFeed openAfter(
      WorkerOptions options, Coordination coordination, ObjectStore objects, long position)
      throws IOException {
    return openAfter(
        options, coordination, objects, published(options, coordination, objects), position);
  }

  private static ChangeFeed openAfter(
      WorkerOptions options,
      Coordination coordination,
      ObjectStore objects,
      LogPosition newest,
      long position)
      throws IOException {
    if (position < 0 || position > newest.timestamp()) {
      throw new SnapshotException(
          format(
              "no feed can begin after snapshot %d: snapshots 0 to %d are published",
              position, newest.timestamp()));
    }
    ChangeFeed feed = new ChangeFeed(options, coordination, objects, newest, position);
    try (Begun begun = new Begun(feed::close)) {
      while (feed.position() < position) {
        CommittedChange unused = feed.advance();
      }
      return begun.keep(feed);
    }
  }

  private static LogPosition published(
      WorkerOptions options, Coordination coordination, ObjectStore objects) throws IOException {
    return ClusterStore.awaitPublished(
        new SnapshotCatalog(objects), coordination, options.patience());
  }

  /** The newest full snapshot that is not after a position. */
  private long fullUpTo(long position) throws IOException {
    return catalog.fullTimestamps().stream()
        .filter(full -> full <= position)
        .reduce((older, newer) -> newer)
        .orElseThrow(() -> pruned(position, null));
  }

  private SnapshotException pruned(long position, @Nullable Exception cause) {
    return new SnapshotException(
        format(
            "%s: the log no longer has snapshot %d, the next after %d: it is part of a full"
                + " snapshot; load the newest snapshot, and follow from there",
            catalog.store().name(), position + 1, position),
        cause);
  }

  private synchronized void publish(PublishedSnapshot newest) {
    meter.publish(newest.timestamp());
    published = newest.position();
    notifyAll();
  }

  /** The newest published snapshot that the feed knows; {@link #position} may be behind it. */
  public synchronized long published() {
    return published.timestamp();
  }

  /** The id of the database. */
  public UUID database() {
    return copy.position().database();
  }

  /** The lag of the {@link #position}; null before the published snapshot is known. */
  public @Nullable Lag lag() {
    return meter.of(position());
  }

  /** The snapshot of the last delivered change, or the one after which the feed began. */
  public long position() {
    return snapshot().timestamp();
  }

  /** The database at the {@link #position}, with which a new consumer begins. */
  public StoreSnapshot snapshot() {
    return copy.store().snapshot();
  }

  /**
   * Waits for the next change. Entries without a change, of takeovers, only move the position.
   *
   * @return null if there was none within {@code patience}
   * @throws SnapshotException if the log no longer has it; names it
   * @throws IOException if it cannot be loaded or is corrupt; names it
   * @throws IllegalStateException if the feed is closed
   */
  public @Nullable CommittedChange next(Duration patience)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + patience.toNanos();
    CommittedChange change = null;
    while (change == null && awaitPublished(position() + 1, deadlineNs)) {
      requireSameLog();
      keepLog();
      change = advance();
    }
    return change;
  }

  private synchronized boolean awaitPublished(long timestamp, long deadlineNs)
      throws InterruptedException {
    Waits.until(this, deadlineNs, () -> closed || published.timestamp() >= timestamp);
    if (closed) {
      throw new IllegalStateException("the feed is closed, at snapshot " + position());
    }
    return published.timestamp() >= timestamp;
  }

  /** Fails if the log is another one. Called before each delivery. */
  private void requireSameLog() throws IOException {
    LogPosition newest;
    synchronized (this) {
      newest = published;
    }
    if (position() < compared) {
      return;
    }
    if (identity.find(newest) != StoreIdentity.Found.HERE) {
      throw new SnapshotException(
          format(
              "snapshot %d is published, but it is not in the log of %s",
              newest.timestamp(), catalog.store().name()));
    }
    compared = newest.timestamp();
  }

  /** Keeps only the log from the newest full snapshot up to the position on. */
  private void keepLog() throws IOException {
    long nowNs = System.nanoTime();
    if (nowNs - keptNs < KEEP_NS) {
      return;
    }
    long newest = fullUpTo(position());
    if (newest > kept) {
      mark.moveTo(newest);
      kept = newest;
    }
    keptNs = nowNs;
  }

  /** Applies the next entry and returns its change; null if it has none. */
  private @Nullable CommittedChange advance() throws IOException {
    StoreSnapshot before = snapshot();
    SnapshotEntry entry;
    try {
      if (together.isEmpty()) {
        together.addAll(catalog.entriesFrom(before.timestamp() + 1));
      }
      entry = together.element();
      entry.requireFollows(copy.position(), catalog.store().name());
      copy.apply(entry, loader.load(entry));
      together.remove();
    } catch (ObjectMissingException e) {
      together.clear();
      throw pruned(before.timestamp(), e);
    }
    AppliedChanges changes = copy.store().lastApplied();
    return entry
        .manifest()
        .kind()
        .<@Nullable CommittedChange, RuntimeException>fold(
            commit ->
                changes == null
                    ? null
                    : new CommittedChange(entry.manifest(), changes, before, snapshot()),
            end -> null,
            takeover -> null,
            full -> null);
  }

  /** Ends the feed. A call that waits for a change fails. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
    }
    end.run();
  }
}
