package io.drayage.transactor;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.ReceivedCargo;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a primary does with whole cargoes during its term.
 *
 * <p>Three threads, each of which does one step for all commits, in order: the receiver's commit
 * thread applies a cargo to the memory, {@code log} waits until its frames are in the object store
 * and appends its entry to the log, {@code publish} moves the cluster's timestamp. So the next
 * cargo is applied while the one before is stored, and nobody waits longer than it wants to:
 *
 * <pre>
 *   commit()          applied  ---- pending ---->  log           ---- logged ---->  publish
 *   rebase, apply     answers "applied"            answers "stored"                 answers "published"
 * </pre>
 *
 * <p>What cannot be stored is undone: the memory goes back to the snapshot before, and the commits
 * that were applied on top fail with it, to be sent again. If it is not known whether an entry was
 * appended, or somebody else appended it, the term is over: the log decides.
 */
public final class CommitPipeline implements CargoCommitter, AutoCloseable {
  /** Commits that may be applied and not stored: the memory of a store that stalls. */
  static final int MAX_PENDING = 64;

  private static final System.Logger LOG = System.getLogger(CommitPipeline.class.getName());

  private final MemoryStore store;
  private final CommitLogWriter log;
  private final TermPublisher publisher;
  private final Listener listener;
  private final long storeTimeoutMs;
  private final Thread logThread;

  /**
   * Held while the memory changes together with what is pending: by the commit thread while it
   * applies, by whoever undoes. Taken before this object's own monitor, which is never held for
   * long.
   */
  private final Object applying = new Object();

  /** Applied, and not in the log. Guarded by this, as all that follows. */
  private final Deque<PendingCommit> pending = new ArrayDeque<>();

  /** Applied, and not published. */
  private final Map<UUID, PendingCommit> unpublished = new HashMap<>();

  /** The newest snapshot that is in the log. */
  private StoreSnapshot stored;

  private @Nullable ShipmentException over;

  /** Hears what becomes of commits. Must not block. */
  interface Listener {
    /** A snapshot is in the log. Called with the pipeline's monitor. */
    void stored(StoreSnapshot snapshot);

    /** A commit is published. */
    void published(PublishedCommit commit);

    /** This transactor must not go on as primary. */
    void lost(String reason);
  }

  CommitPipeline(
      MemoryStore store,
      CommitLogWriter log,
      TermPublisher publisher,
      Listener listener,
      long storeTimeoutMs) {
    this.store = store;
    this.log = log;
    this.publisher = publisher;
    this.listener = listener;
    this.storeTimeoutMs = storeTimeoutMs;
    this.stored = store.snapshot();
    this.logThread = new Thread(this::logPending, "drayage-log");
    logThread.setDaemon(true);
  }

  void start() {
    logThread.start();
    publisher.start(this::published);
  }

  @Override
  public CompletableFuture<Long> commit(ReceivedCargo received) throws ShipmentException {
    if (!(received instanceof ReceivedCargo.Recorded whole)
        || !(whole.recording() instanceof HeaderRecorder.Recorded recorded)) {
      throw new ShipmentException(Fault.INTERNAL, "a cargo came without its recording");
    }
    CrashPoint.HELD.reach();
    boolean kept = false;
    try {
      ChangeCargo cargo = whole.cargo();
      CompletableFuture<Long> known = answerOfKnown(cargo.transactionId(), recorded);
      if (known != null) {
        return known;
      }
      PendingCommit applied = apply(cargo, recorded);
      kept = true;
      CrashPoint.APPLIED.reach();
      return applied.answer(recorded.header().options().acknowledgement());
    } finally {
      if (!kept) {
        recorded.discard();
      }
    }
  }

  /** For a transaction that was committed before: what it was told then, or is about to be. */
  private synchronized @Nullable CompletableFuture<Long> answerOfKnown(
      UUID transactionId, HeaderRecorder.Recorded recorded) throws ShipmentException {
    requireTerm();
    Acknowledgement level = recorded.header().options().acknowledgement();
    PendingCommit underWay = unpublished.get(transactionId);
    if (underWay != null) {
      return underWay.answer(level);
    }
    OptionalLong timestamp = store.timestampOf(transactionId);
    return timestamp.isEmpty() ? null : CompletableFuture.completedFuture(timestamp.getAsLong());
  }

  private PendingCommit apply(ChangeCargo cargo, HeaderRecorder.Recorded recorded)
      throws ShipmentException {
    awaitRoom();
    synchronized (applying) {
      return applyNow(cargo, recorded);
    }
  }

  private PendingCommit applyNow(ChangeCargo cargo, HeaderRecorder.Recorded recorded)
      throws ShipmentException {
    requireTerm();
    CommitOptions options = recorded.header().options();
    StoreSnapshot before = store.snapshot();
    store.commit(cargo, options.onConflict());
    PendingCommit commit =
        new PendingCommit(
            cargo.transactionId(),
            recorded,
            before,
            store.snapshot(),
            Objects.requireNonNull(store.lastApplied()));
    enqueue(commit);
    return commit;
  }

  private synchronized void enqueue(PendingCommit commit) {
    pending.add(commit);
    unpublished.put(commit.transactionId(), commit);
    notifyAll();
  }

  private synchronized void awaitRoom() throws ShipmentException {
    requireTerm();
    try {
      while (pending.size() >= MAX_PENDING) {
        wait();
        requireTerm();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShipmentException(Fault.CANCELLED, "the commit was interrupted", e);
    }
  }

  private synchronized void requireTerm() throws ShipmentException {
    ShipmentException cause = over;
    if (cause != null) {
      throw new ShipmentException(cause.fault(), String.valueOf(cause.getMessage()), cause);
    }
  }

  private synchronized List<PendingCommit> takePending() {
    List<PendingCommit> taken = new ArrayList<>(pending);
    pending.clear();
    taken.forEach(commit -> unpublished.remove(commit.transactionId()));
    notifyAll();
    return taken;
  }

  /** The log thread. */
  private void logPending() {
    try {
      while (true) {
        PendingCommit next = nextPending();
        if (next == null) {
          return;
        }
        store(next);
      }
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "the log cannot go on", e);
      endTerm(new ShipmentException(Fault.INTERNAL, "the log cannot go on: " + e, e));
    }
  }

  private synchronized @Nullable PendingCommit nextPending() {
    while (over == null && pending.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException e) {
        return null;
      }
    }
    return over == null ? pending.peek() : null;
  }

  private void store(PendingCommit commit) {
    SnapshotContents contents;
    try {
      contents = uploaded(commit);
    } catch (ShipmentException e) {
      commit.recorded().discard();
      undoFrom(commit, e);
      return;
    }
    commit.markUploaded();
    CrashPoint.UPLOADED.reach();
    try {
      log.append(commit.timestamp(), contents);
    } catch (CommitLogWriter.NotAppendedException e) {
      undoFrom(commit, storeFailure(commit, e));
      return;
    } catch (CommitLogWriter.TermOverException e) {
      endTerm(
          new ShipmentException(
              Fault.CANCELLED,
              "this transactor is not the primary any more: " + e.getMessage(),
              e));
      return;
    }
    commit.markLogged();
    CrashPoint.LOGGED.reach();
    logged(commit);
  }

  private SnapshotContents uploaded(PendingCommit commit) throws ShipmentException {
    try {
      return commit.recorded().stored().get(storeTimeoutMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw storeFailure(commit, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new ShipmentException(
          Fault.REFUSED,
          "snapshot %d cannot be stored: the object store did not take it within %,d ms"
              .formatted(commit.timestamp(), storeTimeoutMs),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShipmentException(Fault.CANCELLED, "the transactor is shutting down", e);
    }
  }

  private static ShipmentException storeFailure(PendingCommit commit, Throwable cause) {
    return cause instanceof ShipmentException named
        ? named
        : new ShipmentException(
            Fault.REFUSED,
            "snapshot %d cannot be stored: %s".formatted(commit.timestamp(), cause.getMessage()),
            cause);
  }

  private void logged(PendingCommit commit) {
    synchronized (this) {
      if (over != null) {
        // The memory has gone back already, and reads this entry from the log.
        return;
      }
      pending.remove(commit);
      stored = commit.after();
      listener.stored(stored);
      notifyAll();
    }
    commit.completeStored();
    CrashPoint.STORED.reach();
    publisher.publish(commit);
  }

  /** On the publisher's thread. */
  private void published(PendingCommit commit) {
    CrashPoint.PUBLISHED.reach();
    synchronized (this) {
      unpublished.remove(commit.transactionId());
    }
    listener.published(commit.completePublished());
  }

  /**
   * Undoes a commit that cannot be stored, and those that were applied on top of it. What was
   * stored of the commit itself is left for later: a store that failed may yet do what it was
   * asked.
   */
  private void undoFrom(PendingCommit failed, ShipmentException cause) {
    List<PendingCommit> undone;
    synchronized (applying) {
      if (isOver()) {
        // The memory has gone back already, and may have moved on along the log.
        return;
      }
      store.reset(failed.before());
      undone = takePending();
    }
    LOG.log(
        Level.WARNING,
        "{0} is undone, with {1} after it: {2}",
        "snapshot " + failed.timestamp(),
        undone.size() - 1,
        cause.getMessage());
    ShipmentException onTop =
        new ShipmentException(
            Fault.CANCELLED,
            "undone together with snapshot %d before it, which could not be stored: %s"
                .formatted(failed.timestamp(), cause.getMessage()),
            cause);
    for (PendingCommit commit : undone) {
      if (commit != failed) {
        commit.recorded().discard();
      }
      commit.fail(commit == failed ? cause : onTop);
    }
  }

  private void endTerm(ShipmentException cause) {
    if (end(cause)) {
      listener.lost(String.valueOf(cause.getMessage()));
    }
  }

  /**
   * Takes no more commits, and forgets those that are not in the log.
   *
   * @return whether that is new
   */
  private boolean end(ShipmentException cause) {
    synchronized (applying) {
      List<PendingCommit> dropped;
      synchronized (this) {
        if (over != null) {
          return false;
        }
        over = cause;
        dropped = new ArrayList<>(unpublished.values());
        pending.clear();
        unpublished.clear();
        notifyAll();
      }
      // Nothing is added to the log from now on, as far as the memory is concerned.
      if (store.snapshot() != newestStored()) {
        store.reset(newestStored());
      }
      dropped.forEach(commit -> commit.fail(cause));
    }
    return true;
  }

  private synchronized boolean isOver() {
    return over != null;
  }

  private synchronized StoreSnapshot newestStored() {
    return stored;
  }

  /**
   * Ends the term: stores and publishes what is applied, for so long, and gives the rest up. The
   * store is then at the newest snapshot of which this knows that it is in the log. What is
   * recorded is not discarded, and a store that stalls is not waited for: an entry that it takes
   * later is part of the log, and read from there.
   */
  void close(long drainMs, ShipmentException cause) {
    awaitDrained(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(drainMs));
    end(cause);
    publisher.close();
  }

  /** Waits until nothing is written any more, or for so long. To be called when it is closed. */
  void awaitLogThread(long timeoutMs) {
    try {
      logThread.join(Math.max(1, timeoutMs));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitDrained(long deadlineNs) {
    while (over == null && !unpublished.isEmpty()) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      if (leftMs <= 0) {
        return;
      }
      try {
        // Publications are not announced here.
        wait(Math.min(leftMs, 20));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public void close() {
    close(0, new ShipmentException(Fault.CANCELLED, "the transactor is shutting down"));
  }
}
