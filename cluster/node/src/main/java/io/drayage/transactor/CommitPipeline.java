package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.internal.Waits;
import io.drayage.snapshot.LogObject;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.store.StoreSnapshot;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Logs and publishes the commits that {@link CommitMemory} has applied, during a term as primary.
 *
 * <p>Three threads each do one step for all commits, in order. The receiver's commit thread applies
 * a cargo in memory. {@code log} compares memory with the cargo, waits until the frames of the
 * cargo are in the object store, and appends an entry to the log. {@code publish} moves the
 * cluster's timestamp. So the next cargo is applied while the previous one is stored. The entries
 * of all commits that are ready by then are appended together, as one {@link LogObject}:
 *
 * <pre>
 *   commit()          applied  ---- unstored --->  log           ---- stored ---->  publish
 *   rebase, apply     answers "applied"            answers "stored"                 answers "published"
 * </pre>
 *
 * <p>A commit that cannot be stored is undone. Memory reverts to the snapshot before it, and the
 * commits on top fail too, to be sent again. The term ends in three cases. An undone commit was
 * acknowledged as applied: the end notifies its worker of the loss. Another node has appended the
 * entry, or it is unknown whether it was appended: the log decides. Memory differs from the
 * received cargo.
 */
final class CommitPipeline implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CommitPipeline.class.getName());

  /** The limit of the data of commits whose entries are stored together. It is compared before. */
  private static final long MAX_DATA_BYTES = 1 << 20;

  private final CommitMemory memory;
  private final LogAppender log;
  private final TermPublisher publisher;
  private final Listener listener;
  private final long storeTimeoutMs;
  private final PendingCommits pending;
  private final Thread logThread;

  /** Receives the progress of commits. Must not block. */
  interface Listener {
    /** A snapshot is in the log. Called with the monitor of the pending commits. */
    void stored(StoreSnapshot snapshot, SnapshotEntry entry);

    /** A snapshot is published. {@link #committed} or {@link #ended} follows. */
    void published(long timestamp);

    /** The published snapshot is that of a commit. */
    void committed(PublishedCommit commit);

    /** A transaction has ended without effect. */
    void ended(EndedTransaction ended);

    /** Commits could not be stored, and are removed from memory. */
    void undone(int commits);

    /** Memory is wrong, from this snapshot on at the latest. */
    void wrong(long timestamp);

    /** The term has failed. */
    void lost(String reason);
  }

  /**
   * @param memory at the newest entry of the log, as is its queue, {@code pending}
   */
  CommitPipeline(
      CommitMemory memory,
      PendingCommits pending,
      LogAppender log,
      TermPublisher publisher,
      Listener listener,
      long storeTimeoutMs) {
    this.memory = memory;
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

  /** Runs the log thread. */
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
      // The failed entry and those before it may be in the log. A repeated commit finds them there.
      endTerm(new ShipmentException(Fault.CANCELLED, "the log cannot go on: " + e, e));
    }
  }

  /** Stores a commit, with those that are ready by then. */
  private void store(PendingCommit first) {
    try {
      long unused = first.appliedDigest(); // Compared while the rest of its data is stored.
    } catch (IllegalStateException | IllegalArgumentException e) {
      endWithWrongMemory(first, e);
      return;
    }
    try {
      first.awaitUploaded(storeTimeoutMs);
    } catch (ShipmentException e) {
      first.work().discard();
      undoFrom(first, List.of(first), unused -> e);
      return;
    }
    LogObject entries = log.next();
    List<PendingCommit> together = new ArrayList<>();
    long dataBytes = 0;
    for (PendingCommit commit : pending.unstoredFrom(first)) {
      dataBytes += commit.dataBytes();
      boolean isFirst = commit == first;
      if (!isFirst && (dataBytes > MAX_DATA_BYTES || !isReady(commit))) {
        break;
      }
      requireNext(commit, entries.next());
      if (!entries.add(commit.entry(), Instant.now())) {
        break;
      }
      together.add(commit);
    }
    if (together.isEmpty()) {
      return; // The term is over.
    }
    try {
      logged(together, log.append(entries));
    } catch (LogAppender.NotAppendedException e) {
      // A store that failed may still complete the request.
      undoFrom(
          first,
          together,
          commit -> commit.storeFailure(e).withOutcome(ShipmentException.Outcome.UNKNOWN));
    } catch (LogAppender.TermOverException e) {
      endTerm(
          new ShipmentException(
              Fault.CANCELLED, "this transactor is no longer the primary: " + e.getMessage(), e));
    }
  }

  /** Whether the data of a commit is stored, and memory has its changes. Does not wait. */
  private static boolean isReady(PendingCommit commit) {
    try {
      if (commit.isUploaded()) {
        long unused = commit.appliedDigest();
        return true;
      }
    } catch (IllegalStateException | IllegalArgumentException e) {
      // The term ends when it is the first.
    }
    return false;
  }

  private static void requireNext(PendingCommit commit, long next) {
    if (commit.timestamp() != next) {
      throw new AssertionError(
          format(
              "snapshot %d cannot be logged after entry %d: %d is next",
              commit.timestamp(), next - 1, next));
    }
  }

  private void logged(List<PendingCommit> together, List<SnapshotEntry> entries) {
    List<PendingCommit> stored = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      PendingCommit commit = together.get(i);
      SnapshotEntry entry = entries.get(i);
      commit.markLogged(entry.position());
      if (!pending.stored(commit, snapshot -> listener.stored(snapshot, entry))) {
        break; // The term is over: memory was reset, and reads this entry from the log.
      }
      commit.completeStored();
      stored.add(commit);
    }
    publisher.publish(stored);
  }

  /** Notifies the listener. Called on the publisher's thread. */
  private void published(PendingCommit commit) {
    @Nullable PublishedCommit published = commit.completePublished();
    listener.published(commit.timestamp());
    if (published == null) {
      listener.ended(commit.ended());
    } else {
      listener.committed(published);
    }
    pending.published(commit);
  }

  /**
   * Undoes commits that cannot be stored, and the commits that were applied on top of them.
   * Discards the data of the latter. The data of the failed ones may be needed, because a store
   * that failed may still complete the request.
   *
   * @param first of the failed commits
   * @param causes the answer to the worker of each failed commit
   */
  private void undoFrom(
      PendingCommit first,
      List<PendingCommit> together,
      Function<PendingCommit, ShipmentException> causes) {
    ShipmentException cause = causes.apply(first);
    Set<PendingCommit> failed = Set.copyOf(together);
    List<PendingCommit> undone = memory.undoFrom(first);
    if (undone == null) {
      return;
    }
    if (undone.isEmpty()) {
      // The worker waits for an entry. The next takeover's entry shows that the commit is lost.
      endTerm(
          new ShipmentException(
              Fault.CANCELLED,
              "a commit that was acknowledged as applied could not be stored: "
                  + cause.getMessage(),
              cause));
      return;
    }
    listener.undone(undone.size());
    LOG.log(
        cause.fault() == Fault.BUSY ? Level.DEBUG : Level.WARNING, // WatchedStore logs that.
        "{0} is undone, with {1} after it: {2}",
        "snapshot " + first.timestamp(),
        undone.size() - 1,
        cause.getMessage());
    ShipmentException onTop =
        new ShipmentException(
            Fault.CANCELLED,
            format(
                "undone together with snapshot %d before it, which could not be stored: %s",
                first.timestamp(), cause.getMessage()),
            cause);
    for (PendingCommit commit : undone) {
      if (failed.contains(commit)) {
        commit.fail(causes.apply(commit));
      } else {
        commit.work().discard();
        commit.fail(onTop);
      }
    }
  }

  /** Ends the term without the commit: its worker must not send it to the next primary. */
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
    if (memory.end(cause)) {
      listener.lost(String.valueOf(cause.getMessage()));
    }
  }

  /**
   * Ends the term: stores and publishes applied commits for at most {@code drainMs}, and fails the
   * others. The store is then at the newest snapshot that is known to be in the log. Recordings are
   * not discarded, and a stalled store is not awaited. An entry that it stores later is part of the
   * log, and is read from there.
   */
  void close(long drainMs, ShipmentException cause) {
    pending.awaitPublished(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(drainMs));
    memory.end(cause);
    publisher.close();
  }

  /** Waits until the log thread has ended, or for the timeout. Must be called after closing. */
  void awaitLogThread(long timeoutMs) {
    Waits.orInterrupted(() -> logThread.join(Math.max(1, timeoutMs)));
  }

  @Override
  public void close() {
    close(0, new ShipmentException(Fault.CANCELLED, "the transactor is shutting down"));
  }
}
