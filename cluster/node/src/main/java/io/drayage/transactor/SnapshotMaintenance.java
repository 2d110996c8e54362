package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.internal.DaemonThreads;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.snapshot.FullSnapshotWriter;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotCleaner;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.transaction.TransactionCleaner;
import io.drayage.snapshot.transaction.TransactionEnds;
import io.drayage.store.FullContents;
import io.drayage.store.StoreSnapshot;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the snapshots in the background. Writes full snapshots, one at a time. Then deletes the
 * log up to the previous full snapshot, and the data of failed commits. So a node that is less than
 * one full snapshot behind, or is loading one, still finds the log.
 *
 * <p>Commits need the memory that a full snapshot keeps until it is written. So the deletion of
 * snapshots and of transactions of several workers has its own threads, and a full snapshot waits
 * for neither.
 */
final class SnapshotMaintenance implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SnapshotMaintenance.class.getName());

  /** Minimum age of unreferenced data that is deleted. Younger data may get its entry yet. */
  private static final Duration LEFTOVER_AGE = Duration.ofHours(1);

  /** Time to start loading a full snapshot after two newer ones have replaced it. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  /** The rest after work, in times of its duration: it takes at most a tenth of the time. */
  private static final int REST = 9;

  private final SnapshotCatalog catalog;
  private final LongSupplier clockNs;
  private final SnapshotCleaner cleaner;
  private final TransactionCleaner transactions;
  private final FullSnapshotWriter snapshots;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final LongAdder deletedObjects = new LongAdder();

  /** The timestamp of the snapshot that is being written; {@link Long#MAX_VALUE} if none is. */
  private volatile long writing = Long.MAX_VALUE;

  /** The end of the rest after the last full snapshot, by the clock. */
  private volatile long restUntilNs;

  /** The bytes of commits that end this rest earlier: those of the full snapshot. */
  private volatile long restBytes;

  /** The end of the rest after the last deletion of unneeded snapshots. */
  private volatile long pruneRestUntilNs;

  /** The bytes of commits since the last full snapshot. */
  private final AtomicLong loggedBytes = new AtomicLong();

  /** The newest entry of the log, as far as this node knows. */
  private volatile long newest;

  /** The ends of transactions in memory. */
  private volatile TransactionEnds ends = unused -> OptionalLong.empty();

  /** The newest published snapshot, as far as this node knows. */
  private volatile long published;

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(new DaemonThreads("drayage-full-snapshot"));

  private final RepeatedTask pruning =
      new RepeatedTask("drayage-prune", "unneeded objects cannot be deleted", this::prune);

  private final RepeatedTask cleaning =
      new RepeatedTask(
          "drayage-clean",
          "the data of ended transactions cannot be deleted",
          this::cleanTransactions);

  SnapshotMaintenance(SnapshotCatalog catalog) {
    this(catalog, System::nanoTime);
  }

  SnapshotMaintenance(SnapshotCatalog catalog, LongSupplier clockNs) {
    this.catalog = catalog;
    this.clockNs = clockNs;
    this.restUntilNs = clockNs.getAsLong();
    this.pruneRestUntilNs = restUntilNs;
    this.cleaner = new SnapshotCleaner(catalog, clockNs);
    this.transactions = new TransactionCleaner(catalog, clockNs);
    this.snapshots =
        new FullSnapshotWriter(
            catalog, Serializers.ofName("columnar"), Compressors.ofName("zstd").atLevel(1));
  }

  /**
   * Creates a database with a new id. Does nothing if another transactor was faster, even if that
   * one has deleted its first snapshot since: the entries of takeovers are kept for ever.
   */
  void makeDatabase(StoreSnapshot snapshot) throws IOException {
    try {
      LogPosition begin = new LogPosition(UUID.randomUUID(), snapshot.timestamp(), 0);
      SnapshotEntry made = write(snapshot, begin, null, 0, KnownTransactions.NONE);
      if (isThereAnotherThan(begin.database())) {
        int unused = catalog.delete(List.of(made));
        LOG.log(Level.WARNING, "another transactor has created the database long ago");
      }
    } catch (ObjectExistsException e) {
      LOG.log(Level.INFO, "another transactor has created the database");
    }
  }

  private boolean isThereAnotherThan(UUID database) throws IOException {
    for (long first : catalog.logObjects()) {
      try {
        if (!catalog.entry(first).manifest().database().equals(database)) {
          return true;
        }
      } catch (ObjectMissingException e) {
        LOG.log(Level.DEBUG, "deleted since it was listed: {0}", e.getMessage());
      }
    }
    return false;
  }

  /**
   * Writes a snapshot in the background, unless another one is being written, or was lately: small
   * commits would otherwise cost less than the snapshots after them.
   *
   * @param entry the newest entry that it contains
   * @param origin the database from which this one was restored; null if it was not restored
   * @param transactions called in the background: the transactions that ended before the snapshot,
   *     and perhaps later ones
   */
  void writeLater(
      StoreSnapshot snapshot,
      SnapshotEntry entry,
      @Nullable DatabaseOrigin origin,
      long epoch,
      Supplier<KnownTransactions> transactions) {
    boolean isRested = loggedBytes.get() >= restBytes || clockNs.getAsLong() - restUntilNs >= 0;
    if (!isRested || !busy.compareAndSet(false, true)) {
      return;
    }
    loggedBytes.set(0);
    writing = snapshot.timestamp();
    RepeatedTask.runLater(
        thread,
        format("full snapshot %d cannot be written", snapshot.timestamp()),
        () -> {
          long beganNs = clockNs.getAsLong();
          try {
            writeAndPrune(snapshot, entry.position(), origin, epoch, transactions.get());
            restUntilNs = endOfRest(beganNs); // A snapshot that failed is due again at once.
          } finally {
            writing = Long.MAX_VALUE;
            busy.set(false);
          }
        });
  }

  /** The timestamp of the oldest snapshot that this needs; {@link Long#MAX_VALUE} if none. */
  long neededSince() {
    return writing;
  }

  /** Notes the newest entry of the log. If the entry is ever missing, no data is deleted. */
  void logged(SnapshotEntry entry) {
    newest = entry.manifest().timestamp();
    long unused = loggedBytes.addAndGet(entry.manifest().dataBytes());
  }

  /** Notes the published timestamp. The log since then is kept. */
  void published(long timestamp) {
    published = timestamp;
  }

  /** Sets the source of the ends of transactions, which may have ends that are not in the log. */
  void ends(TransactionEnds known) {
    ends = known;
  }

  /** Deletes, in the background, the data of ended transactions of several workers. */
  void cleanTransactionsLater() {
    cleaning.runLater();
  }

  private void cleanTransactions() throws IOException {
    // An end counts only if it is in the log, because an applied end may be undone.
    long logged = newest;
    TransactionEnds known = ends;
    TransactionEnds ofLog =
        new TransactionEnds() {
          @Override
          public OptionalLong endOf(UUID transaction) {
            OptionalLong end = known.endOf(transaction);
            return end.isPresent() && Math.abs(end.getAsLong()) <= logged
                ? end
                : OptionalLong.empty();
          }

          @Override
          public long knownSince() {
            return known.knownSince();
          }
        };
    int deleted = transactions.deleteEnded(ofLog, LEFTOVER_AGE);
    deletedObjects.add(deleted);
  }

  /** Number of snapshots, objects without an entry and unfinished uploads deleted here. */
  long deletedObjects() {
    return deletedObjects.sum();
  }

  /** Deletes, in the background, unneeded objects. */
  void cleanLater() {
    cleaning.runLater();
    pruning.runLater();
    // On the thread of full snapshots, so that a running upload never counts as abandoned.
    RepeatedTask.runLater(thread, "unfinished uploads cannot be deleted", this::deleteUnfinished);
  }

  /** The end of the rest after work that began at this time. */
  private long endOfRest(long beganNs) {
    long nowNs = clockNs.getAsLong();
    return nowNs + REST * (nowNs - beganNs);
  }

  private void prune() throws IOException {
    long beganNs = clockNs.getAsLong();
    int replaced = cleaner.prune(GRACE, published, transactions.bases());
    int leftovers =
        cleaner.deleteUnreferenced(LEFTOVER_AGE, () -> newest, transactions::references);
    deletedObjects.add(replaced + leftovers);
    if (replaced + leftovers > 0) {
      LOG.log(
          Level.INFO,
          "{0} old snapshots and {1} objects without an entry deleted",
          replaced,
          leftovers);
    }
    pruneRestUntilNs = endOfRest(beganNs);
  }

  private void deleteUnfinished() throws IOException {
    int unfinished = cleaner.deleteUnfinished(LEFTOVER_AGE);
    deletedObjects.add(unfinished);
    if (unfinished > 0) {
      LOG.log(Level.INFO, "{0} unfinished uploads deleted", unfinished);
    }
  }

  private void writeAndPrune(
      StoreSnapshot snapshot,
      LogPosition at,
      @Nullable DatabaseOrigin origin,
      long epoch,
      KnownTransactions transactions)
      throws IOException {
    long beganNs = clockNs.getAsLong();
    long timestamp = snapshot.timestamp();
    SnapshotEntry made = write(snapshot, at, origin, epoch, transactions.upTo(timestamp));
    restBytes = made.manifest().dataBytes();
    if (catalog.fullTimestamps().stream().filter(full -> full > timestamp).count() > 1) {
      // The log between this snapshot and the newer ones may have been deleted.
      int unused = catalog.delete(List.of(made));
      LOG.log(
          Level.WARNING, "full snapshot {0} came after two newer ones", Long.toString(timestamp));
      return;
    }
    LOG.log(
        Level.INFO,
        "full snapshot {0} written in {1} ms",
        Long.toString(timestamp),
        Long.toString((clockNs.getAsLong() - beganNs) / 1_000_000));
    if (clockNs.getAsLong() - pruneRestUntilNs >= 0) {
      cleanLater();
    }
  }

  private SnapshotEntry write(
      StoreSnapshot snapshot,
      LogPosition at,
      @Nullable DatabaseOrigin origin,
      long epoch,
      KnownTransactions transactions)
      throws IOException {
    return snapshots.write(FullContents.toCargo(snapshot), at, origin, epoch, transactions);
  }

  /**
   * Abandons the snapshot that is being written, and the deletions. Waits at most a second for each
   * thread, because a store may not answer.
   */
  @Override
  public void close() {
    RepeatedTask.end(thread);
    pruning.close();
    cleaning.close();
  }
}
