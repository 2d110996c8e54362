package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.receive.RecordedCargo;
import io.drayage.receive.RecordedCommitter;
import io.drayage.segment.Manifest;
import io.drayage.snapshot.LoggedTransaction;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotRecording;
import io.drayage.store.AppCommit;
import io.drayage.store.MemoryLimit;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.TransactionBuild;
import io.drayage.store.TransactionTerms;
import io.drayage.store.column.MemorySize;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Commits received cargoes during a term as primary: store, log, publish.
 *
 * <p>Three threads each do one step for all commits, in order: the receiver's commit thread applies
 * a cargo in memory; {@code log} compares memory with it, waits until its frames are in the object
 * store and appends its entry to the log; {@code publish} moves the cluster's timestamp. So the
 * next cargo is applied while the previous one is stored:
 *
 * <pre>
 *   commit()          applied  ---- unstored --->  log           ---- stored ---->  publish
 *   rebase, apply     answers "applied"            answers "stored"                 answers "published"
 * </pre>
 *
 * <p>A commit that cannot be stored is undone: memory reverts to the snapshot before, and the
 * commits that were applied on top fail with it, to be sent again. If one of them was acknowledged
 * as applied, the term is over, so that its worker learns of the loss. So it is if it is unknown
 * whether an entry was appended, or another node has appended it: the log decides. And so it is if
 * memory is not what was received.
 */
final class CommitPipeline implements RecordedCommitter<SnapshotRecording>, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CommitPipeline.class.getName());

  private final MemoryStore store;

  /** Guarded by {@link #applying}, except for its limit. */
  private final DatabaseRoom room;

  private final CommitLogWriter log;
  private final TermPublisher publisher;
  private final Listener listener;
  private final long storeTimeoutMs;
  private final PendingCommits pending;
  private final Thread logThread;

  /**
   * Held while memory changes together with {@link #pending}, and while both are read or a commit
   * is answered by them: by the commit thread, and by a thread that undoes; never by a thread that
   * receives. Acquired before the monitor of {@code pending}.
   */
  private final Object applying = new Object();

  /** Receives the progress of commits. Must not block. */
  interface Listener {
    /** A snapshot is in the log. Called with the monitor of the pending commits. */
    void stored(StoreSnapshot snapshot);

    /**
     * A snapshot is published.
     *
     * @param commit that made it; null if a transaction has ended without effect
     */
    void published(long timestamp, @Nullable PublishedCommit commit);

    /** Commits could not be stored, and memory is without them again. */
    void undone(int commits);

    /** Memory is wrong, from this snapshot on at the latest. */
    void wrong(long timestamp);

    /** The term has failed. */
    void lost(String reason);
  }

  /**
   * @param store at the newest entry of the log, as is {@code pending}
   */
  CommitPipeline(
      MemoryStore store,
      DatabaseRoom room,
      PendingCommits pending,
      CommitLogWriter log,
      TermPublisher publisher,
      Listener listener,
      long storeTimeoutMs) {
    this.store = store;
    this.room = room;
    this.pending = pending;
    this.log = log;
    this.publisher = publisher;
    this.listener = listener;
    this.storeTimeoutMs = storeTimeoutMs;
    this.logThread = new DaemonThreads("drayage-log").newThread(this::logPending);
  }

  void start() {
    logThread.start();
    publisher.start(this::published);
  }

  @Override
  public void requireRoom(Manifest manifest) throws ShipmentException {
    // Without a lock: codec threads do not wait until a commit is applied.
    long addedBytes = MemorySize.ofInserted(manifest);
    long usedBytes = store.snapshot().memoryBytes();
    if (!room.limit().hasRoom(usedBytes, addedBytes)
        && store.timestampOf(manifest.transactionId()).isEmpty()) {
      // The term is checked after the look-up: one that ends is over before its commits, which may
      // be in the log, are undone in memory, so a look-up that missed one fails here.
      pending.requireTerm();
      room.limit().requireRoom(usedBytes, addedBytes);
    }
  }

  @Override
  public CompletableFuture<Long> commit(RecordedCargo<SnapshotRecording> received)
      throws ShipmentException {
    boolean applied = false;
    try {
      CompletableFuture<Long> known = answerOfKnown(received.header());
      if (known != null) {
        return known;
      }
      CompletableFuture<Long> answer = apply(received);
      applied = true;
      return answer;
    } finally {
      if (!applied) {
        received.recording().discard();
      }
    }
  }

  /** The answer for a transaction that is committed, or is being committed; else null. */
  private @Nullable CompletableFuture<Long> answerOfKnown(ShipmentHeader header)
      throws ShipmentException {
    synchronized (applying) { // Meanwhile no commit is undone.
      pending.requireTerm();
      PendingCommit inProgress = pending.find(header.transactionId());
      if (inProgress != null) {
        return inProgress.answer(header.options().acknowledgement());
      }
      OptionalLong timestamp = store.timestampOf(header.transactionId());
      return timestamp.isEmpty() ? null : CompletableFuture.completedFuture(timestamp.getAsLong());
    }
  }

  private CompletableFuture<Long> apply(RecordedCargo<SnapshotRecording> received)
      throws ShipmentException {
    CommitOptions how = received.header().options();
    return apply(
        new CommitWork.OneCargo(received),
        how.acknowledgement(),
        () -> {
          room.forget(pending.newestStored().timestamp());
          store.commit(received.cargo(), how.onConflict(), room.limit(), room.retainedBytes());
          room.committed(store);
        });
  }

  // Transactions of several workers.

  /** As {@link PendingCommits#requireTerm}. */
  void requireTerm() throws ShipmentException {
    pending.requireTerm();
  }

  /** The newest snapshot in the log. */
  long newestStored() {
    return pending.newestStored().timestamp();
  }

  /**
   * The answer of a transaction that has ended or is ending, as in {@link MemoryStore#endOf}; null
   * if it is not.
   */
  @Nullable CompletableFuture<Long> answerOfEnd(UUID transaction, Acknowledgement level)
      throws ShipmentException {
    synchronized (applying) {
      pending.requireTerm();
      OptionalLong end = store.endOf(transaction);
      if (end.isEmpty()) {
        return null;
      }
      PendingCommit inProgress = pending.find(transaction);
      CompletableFuture<Long> answer =
          inProgress == null
              ? CompletableFuture.completedFuture(end.getAsLong())
              : inProgress.answer(level);
      return answer.thenApply(unused -> end.getAsLong());
    }
  }

  /**
   * The answer of an application's commit of this version or a later one, which is then another
   * transaction's; null if none is known.
   *
   * @throws ShipmentException {@code REFUSED} if the application is somebody else's
   */
  @Nullable CompletableFuture<AppCommit> answerOfApp(
      AppVersion app, String owner, Acknowledgement level) throws ShipmentException {
    synchronized (applying) {
      pending.requireTerm();
      AppCommit newest = store.newestOf(app.app());
      if (newest == null) {
        return null;
      }
      if (!newest.owner().equals(owner)) {
        throw new ShipmentException(
            Fault.REFUSED,
            "application '%s' is that of '%s', not of '%s'"
                .formatted(app.app(), newest.owner(), owner));
      }
      if (newest.version().version() < app.version()) {
        return null;
      }
      PendingCommit inProgress = pending.find(newest.timestamp());
      return inProgress == null
          ? CompletableFuture.completedFuture(newest)
          : inProgress.answer(level).thenApply(unused -> newest);
    }
  }

  /**
   * Begins to build the snapshot after a transaction, while others commit.
   *
   * @param addedBytes by how much memory will grow, at least
   * @throws ShipmentException {@code FULL} if there is no room for it; as {@link MemoryStore#begin}
   */
  TransactionBuild begin(TransactionTerms terms, long addedBytes) throws ShipmentException {
    synchronized (applying) {
      pending.requireTerm();
      room.forget(pending.newestStored().timestamp());
      room.limit().requireRoom(store.snapshot().memoryBytes(), addedBytes);
      return store.begin(terms, room.limit(), room.retainedBytes());
    }
  }

  /**
   * Commits what was built.
   *
   * @return the timestamp, once it is as durable as it is wanted
   * @throws ShipmentException as {@link MemoryStore#commit(TransactionBuild, TransactionTerms,
   *     MemoryLimit)}
   */
  CompletableFuture<Long> commit(
      TransactionBuild build,
      TransactionTerms terms,
      List<SnapshotContents> cargoes,
      Acknowledgement level,
      long begunNs)
      throws ShipmentException {
    // What others have committed meanwhile is met here, and but for the last of it not below.
    store.catchUp(build);
    LoggedTransaction logged =
        new LoggedTransaction(
            terms.transactionId(), terms.baseSnapshot(), terms.owner(), terms.app());
    CommitWork work =
        new CommitWork.Fragments(logged, cargoes, build.digest(), begunNs, System.nanoTime());
    return apply(
        work,
        level,
        () -> {
          long unused = store.commit(build, terms, room.limit());
          room.committed(store);
        });
  }

  /**
   * Ends a transaction without effect, unless it has ended.
   *
   * @return once that is in the log: how it ended, as in {@link MemoryStore#endOf}
   */
  CompletableFuture<Long> end(SnapshotKind kind, LoggedTransaction transaction)
      throws ShipmentException {
    synchronized (applying) {
      CompletableFuture<Long> known = answerOfEnd(transaction.id(), Acknowledgement.STORED);
      if (known != null) {
        return known;
      }
    }
    return apply(
            new CommitWork.End(kind, transaction, System.nanoTime()),
            Acknowledgement.STORED,
            () -> {
              long unused = store.end(transaction.id());
            })
        .thenApply(timestamp -> -timestamp);
  }

  private interface Change {
    void run() throws ShipmentException;
  }

  private CompletableFuture<Long> apply(CommitWork work, Acknowledgement level, Change change)
      throws ShipmentException {
    pending.awaitCapacity();
    synchronized (applying) {
      pending.requireTerm();
      StoreSnapshot before = store.snapshot();
      boolean queued = false;
      try {
        change.run();
        if (store.snapshot() == before) {
          throw new ShipmentException(
              Fault.CANCELLED, "transaction %s ended meanwhile".formatted(work.transaction().id()));
        }
        PendingCommit commit =
            new PendingCommit(work, before, store.snapshot(), store.lastApplied());
        pending.add(commit);
        queued = true;
        return commit.answer(level);
      } finally {
        if (!queued && store.snapshot() != before) {
          revertTo(before);
        }
      }
    }
  }

  /** With {@link #applying} held. */
  private void revertTo(StoreSnapshot earlier) {
    try {
      store.reset(earlier);
    } catch (IllegalArgumentException e) {
      throw new AssertionError("memory and the log have parted: " + e.getMessage(), e);
    }
  }

  /** The log thread. */
  private void logPending() {
    try {
      while (true) {
        PendingCommit next = pending.awaitNext();
        if (next == null) {
          return;
        }
        store(next);
      }
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "the log cannot go on", e);
      FatalErrors.report(e);
      // Its own entry, and those before it, may be in the log: sent again, they are found there.
      endTerm(new ShipmentException(Fault.CANCELLED, "the log cannot go on: " + e, e));
    }
  }

  private void store(PendingCommit commit) {
    long applied;
    try {
      applied = commit.appliedDigest(); // While the rest of its data is stored.
    } catch (IllegalStateException | IllegalArgumentException e) {
      endWithWrongMemory(commit, e);
      return;
    }
    List<SnapshotContents> contents;
    try {
      contents = commit.awaitUploaded(storeTimeoutMs);
    } catch (ShipmentException e) {
      commit.work().discard();
      undoFrom(commit, e);
      return;
    }
    try {
      log.append(commit.timestamp(), commit.work(), applied, commit.newTables(), contents);
    } catch (CommitLogWriter.NotAppendedException e) {
      // A store that failed may still complete the request.
      undoFrom(commit, commit.storeFailure(e).withOutcome(ShipmentException.Outcome.UNKNOWN));
      return;
    } catch (CommitLogWriter.TermOverException e) {
      endTerm(
          new ShipmentException(
              Fault.CANCELLED, "this transactor is no longer the primary: " + e.getMessage(), e));
      return;
    }
    commit.markLogged(log.last().position());
    logged(commit);
  }

  private void logged(PendingCommit commit) {
    if (pending.stored(commit, listener::stored)) {
      commit.completeStored();
      publisher.publish(commit);
    }
    // If not, the term is over: memory was reset, and reads this entry from the log.
  }

  /** Called on the publisher's thread. */
  private void published(PendingCommit commit) {
    @Nullable PublishedCommit published = commit.completePublished();
    listener.published(commit.timestamp(), published);
    pending.published(commit);
  }

  /**
   * Undoes a commit that cannot be stored, and those that were applied on top of it. Its stored
   * data is kept: a store that failed may still complete the request.
   */
  private void undoFrom(PendingCommit failed, ShipmentException cause) {
    List<PendingCommit> undone;
    synchronized (applying) {
      if (pending.isOver()) {
        // Memory has been reset already, and may have advanced along the log.
        return;
      }
      if (pending.hasAnsweredUnstored()) {
        // Its worker waits for an entry: that of the next takeover tells that it is lost.
        endTerm(
            new ShipmentException(
                Fault.CANCELLED,
                "a commit that was acknowledged as applied could not be stored: "
                    + cause.getMessage(),
                cause));
        return;
      }
      revertTo(failed.before());
      undone = pending.removeUnstored();
    }
    listener.undone(undone.size());
    LOG.log(
        Level.WARNING,
        "{0} is undone, with {1} after it: {2}",
        "snapshot " + failed.timestamp(),
        undone.size() - 1,
        cause.getMessage());
    ShipmentException onTop =
        new ShipmentException(
            Fault.CANCELLED,
            format(
                "undone together with snapshot %d before it, which could not be stored: %s",
                failed.timestamp(), cause.getMessage()),
            cause);
    for (PendingCommit commit : undone) {
      if (commit != failed) {
        commit.work().discard();
      }
      commit.fail(commit == failed ? cause : onTop);
    }
  }

  /** It is not logged, and its worker must not send it on to the next primary. */
  private void endWithWrongMemory(PendingCommit commit, RuntimeException cause) {
    commit.work().discard();
    String reason =
        format("snapshot %d was applied wrongly: %s", commit.timestamp(), cause.getMessage());
    commit.fail(new ShipmentException(Fault.INTERNAL, reason, cause));
    listener.wrong(commit.timestamp());
    endTerm(
        new ShipmentException(
            Fault.CANCELLED, "this transactor is no longer the primary: " + reason, cause));
  }

  private void endTerm(ShipmentException cause) {
    if (end(cause)) {
      listener.lost(String.valueOf(cause.getMessage()));
    }
  }

  /**
   * Ends the term and reverts memory to the newest snapshot in the log.
   *
   * @return false if the term was over already
   */
  private boolean end(ShipmentException cause) {
    synchronized (applying) {
      List<PendingCommit> dropped = pending.end(cause);
      if (dropped == null) {
        return false;
      }
      // No commit is stored after this, as far as memory is concerned.
      if (store.snapshot() != pending.newestStored()) {
        revertTo(pending.newestStored());
      }
      // They may be in the log, or be read from it later.
      ShipmentException lost = cause.withOutcome(ShipmentException.Outcome.UNKNOWN);
      dropped.forEach(commit -> commit.fail(lost));
    }
    return true;
  }

  /**
   * Ends the term: stores and publishes applied commits for at most {@code drainMs}, and fails the
   * rest. The store is then at the newest snapshot that is known to be in the log. Recordings are
   * not discarded, and a stalled store is not awaited: an entry that it stores later is part of the
   * log, and read from there.
   */
  void close(long drainMs, ShipmentException cause) {
    pending.awaitPublished(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(drainMs));
    end(cause);
    publisher.close();
  }

  /** Waits until the log thread has ended, or for the timeout. Must be called after closing. */
  void awaitLogThread(long timeoutMs) {
    try {
      logThread.join(Math.max(1, timeoutMs));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    close(0, new ShipmentException(Fault.CANCELLED, "the transactor is shutting down"));
  }
}
