package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.AppCommit;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.Begun;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.ReceivedCargo;
import io.drayage.segment.Manifest;
import io.drayage.snapshot.CargoUpload;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotLoader.EntryCargoes;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.TransactionBuild;
import io.drayage.store.column.MemorySize;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The committed state in memory and the queue of the log. Both change under one lock. Thread-safe.
 */
final class CommitMemory implements CargoCommitter<CargoUpload>, TransactionCommitter {
  /** Number of catch-ups. Each takes as long as the commits of others during the one before. */
  private static final int CATCH_UPS = 3;

  private final MemoryStore store;

  /** Guarded by {@link #applying}, except for its limit. */
  private final DatabaseRoom room;

  private final PendingCommits pending;

  /**
   * Held while memory changes together with {@link #pending}, while both are read, and while both
   * answer a commit. Commit threads and a thread that undoes commits hold it, never a receiving
   * thread. Acquired before the monitor of {@code pending}.
   */
  private final Object applying = new Object();

  /**
   * @param store at the newest entry of the log, as is {@code pending}
   */
  CommitMemory(MemoryStore store, DatabaseRoom room, PendingCommits pending) {
    this.store = store;
    this.room = room;
    this.pending = pending;
  }

  @Override
  public void requireRoom(Manifest manifest) throws ShipmentException {
    // No lock is needed: codec threads must not wait until a commit is applied.
    long addedBytes = MemorySize.ofInserted(manifest);
    long usedBytes = store.snapshot().memoryBytes();
    if (!room.limit().hasRoom(usedBytes, addedBytes)
        && store.timestampOf(manifest.transactionId()).isEmpty()) {
      // The term is checked after the look-up. A term is over before its commits, which may be in
      // the log, are undone in memory. So this check fails if the look-up missed such a commit.
      pending.requireTerm();
      room.limit().requireRoom(usedBytes, addedBytes);
    }
  }

  @Override
  public CompletableFuture<Long> commit(ReceivedCargo<CargoUpload> received)
      throws ShipmentException {
    try (Begun begun = new Begun(received.recording()::discard)) {
      CompletableFuture<Long> known = answerOfKnown(received.header());
      return known == null ? begun.keep(apply(received)) : known;
    }
  }

  /** The answer for a transaction that is committed, or is being committed; else null. */
  private @Nullable CompletableFuture<Long> answerOfKnown(ShipmentHeader header)
      throws ShipmentException {
    synchronized (applying) { // No commit is undone here.
      pending.requireTerm();
      PendingCommit inProgress = pending.find(header.transactionId());
      if (inProgress != null) {
        return inProgress.answer(header.options().acknowledgement());
      }
      OptionalLong timestamp = store.timestampOf(header.transactionId());
      return timestamp.isEmpty() ? null : CompletableFuture.completedFuture(timestamp.getAsLong());
    }
  }

  /**
   * Commits a large cargo: builds the snapshot with it and awaits its data while others commit.
   * Called by one thread at a time, which may be another one than that of {@link #commit}.
   *
   * @param storeTimeoutMs limit of the wait
   */
  CompletableFuture<Long> commitBeside(ReceivedCargo<CargoUpload> received, long storeTimeoutMs)
      throws ShipmentException {
    try (Begun begun = new Begun(received.recording()::discard)) {
      CompletableFuture<Long> known = answerOfKnown(received.header());
      if (known != null) {
        return known;
      }
      CommitOptions how = received.header().options();
      CommitWork.OneCargo work = new CommitWork.OneCargo(received);
      TransactionBuild build =
          begin(
              work.transaction(), how.onConflict(), false, TransactionRequest.Commit.ANY_TABLE, 0);
      build(build, received.cargo());
      work.built(build.digest());
      work.awaitStored("transaction " + work.transaction().id(), storeTimeoutMs);
      try {
        return begun.keep(apply(build, work, how.acknowledgement()));
      } catch (ShipmentException e) {
        // The commit thread may have committed a repeat of the transaction, which conflicts with
        // it.
        CompletableFuture<Long> other = answerOfKnown(received.header());
        if (other == null) {
          throw e;
        }
        return other;
      }
    }
  }

  /** Applies a cargo to a build. If that fails, the database is unchanged. */
  private static void build(TransactionBuild build, ChangeCargo cargo) throws ShipmentException {
    try {
      build.add(cargo);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw ShipmentException.of(
          Fault.INTERNAL, "transaction %s was applied wrongly".formatted(cargo.transactionId()), e);
    }
  }

  private CompletableFuture<Long> apply(ReceivedCargo<CargoUpload> received)
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

  @Override
  public long newestStored() {
    return pending.newestStored().timestamp();
  }

  @Override
  public @Nullable CompletableFuture<Long> answerOfEnd(UUID transaction, Acknowledgement level)
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

  @Override
  public @Nullable CompletableFuture<AppCommit> answerOfApp(
      AppVersion app, @Nullable String owner, Acknowledgement level) throws ShipmentException {
    synchronized (applying) {
      pending.requireTerm();
      AppCommit newest = newestOf(app, owner);
      if (newest == null) {
        return null;
      }
      PendingCommit inProgress = pending.find(newest.timestamp());
      return inProgress == null
          ? CompletableFuture.completedFuture(newest)
          : inProgress.answer(level).thenApply(unused -> newest);
    }
  }

  /**
   * The newest commit of an application's tables, if it has this version or a later one; else null.
   * Refuses the request if such a version has other, but overlapping tables.
   */
  private @Nullable AppCommit newestOf(AppVersion app, @Nullable String owner)
      throws ShipmentException {
    AppCommit same = null;
    AppCommit overlapping = null;
    for (AppCommit each : store.newestOf(app.app())) {
      if (owner != null && !each.owner().equals(owner)) {
        throw new ShipmentException(
            Fault.REFUSED,
            "application '%s' is that of '%s', not of '%s'"
                .formatted(app.app(), each.owner(), owner));
      }
      if (each.version().version() >= app.version()) {
        if (each.version().tables().equals(app.tables())) {
          same = each;
        } else if (!Collections.disjoint(each.version().tables(), app.tables())) {
          overlapping = each;
        }
      }
    }
    if (same == null && overlapping != null) {
      throw new ShipmentException(
          Fault.REFUSED,
          format(
              "version %d of application '%s' is to be committed for the tables %s, but version %d"
                  + " is for %s, since snapshot %d: both may be the same; choose a higher version,"
                  + " or another application",
              app.version(),
              app.app(),
              app.tables(),
              overlapping.version().version(),
              overlapping.version().tables(),
              overlapping.timestamp()));
    }
    return same;
  }

  @Override
  public CompletableFuture<Long> commitAll(
      LoggedTransaction transaction,
      TransactionRequest.Commit request,
      List<Fragment> fragments,
      EntryCargoes cargoes,
      long begunNs)
      throws IOException {
    List<SnapshotContents> contents = fragments.stream().map(Fragment::cargo).toList();
    // Before a cargo is loaded.
    SnapshotCatalog.requireRoom(transaction, List.of(), List.of(), contents);
    long addedBytes = fragments.stream().mapToLong(Fragment::addedBytes).sum();
    TransactionBuild build =
        begin(
            transaction,
            request.onConflict(),
            request.serializable(),
            request.madeUntil(),
            addedBytes);
    for (ChangeCargo next = cargoes.next(); next != null; next = cargoes.next()) {
      build.add(next);
      pending.requireTerm();
    }
    return commit(build, transaction, contents, request, begunNs);
  }

  private TransactionBuild begin(
      LoggedTransaction transaction,
      OnConflict onConflict,
      boolean serializable,
      long madeUntil,
      long addedBytes)
      throws ShipmentException {
    synchronized (applying) {
      pending.requireTerm();
      room.forget(pending.newestStored().timestamp());
      room.limit().requireRoom(store.snapshot().memoryBytes(), addedBytes);
      return store.begin(
          transaction, onConflict, serializable, madeUntil, room.limit(), room.retainedBytes());
    }
  }

  private CompletableFuture<Long> commit(
      TransactionBuild build,
      LoggedTransaction transaction,
      List<SnapshotContents> cargoes,
      TransactionRequest.Commit request,
      long begunNs)
      throws ShipmentException {
    SnapshotCatalog.requireRoom(transaction, build.droppedTables(), build.newTables(), cargoes);
    CommitWork work =
        new CommitWork.Fragments(
            transaction, cargoes, build.digest(), request.trace(), begunNs, System.nanoTime());
    return apply(build, work, request.acknowledgement());
  }

  private CompletableFuture<Long> apply(
      TransactionBuild build, CommitWork work, Acknowledgement level) throws ShipmentException {
    pending.awaitCapacity();
    // Most commits of others are merged here, and only the last of them under the lock.
    for (int i = 0; i < CATCH_UPS; i++) {
      store.catchUp(build);
    }
    return apply(
        work,
        level,
        () -> {
          StoreSnapshot before = store.snapshot();
          long unused = store.commit(build);
          if (store.snapshot() != before) {
            room.committed(store);
          }
        });
  }

  @Override
  public CompletableFuture<Long> end(SnapshotKind.End end) throws ShipmentException {
    UUID transaction = end.transaction().id();
    synchronized (applying) {
      CompletableFuture<Long> known = answerOfEnd(transaction, Acknowledgement.STORED);
      if (known != null) {
        return known;
      }
    }
    return apply(
            new CommitWork.End(end, System.nanoTime()),
            Acknowledgement.STORED,
            () -> {
              long unused = store.end(transaction);
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

  /** Reverts memory. The caller holds {@link #applying}. */
  private void revertTo(StoreSnapshot earlier) {
    try {
      store.reset(earlier);
    } catch (IllegalArgumentException e) {
      throw new AssertionError("memory and the log differ: " + e.getMessage(), e);
    }
  }

  /**
   * Undoes a commit and the commits that were applied on top of it.
   *
   * @return the undone commits in that order; empty if one of them was acknowledged, so that the
   *     term must end; null if the term is over already
   */
  @Nullable List<PendingCommit> undoFrom(PendingCommit failed) {
    synchronized (applying) {
      if (pending.isOver()) {
        // Memory has been reset already, and may have advanced along the log.
        return null;
      }
      if (pending.hasAnsweredUnstored()) {
        return List.of();
      }
      revertTo(failed.before());
      return pending.removeUnstored();
    }
  }

  /**
   * Ends the term and reverts memory to the newest snapshot in the log.
   *
   * @return false if the term was over already
   */
  boolean end(ShipmentException cause) {
    synchronized (applying) {
      List<PendingCommit> dropped = pending.end(cause);
      if (dropped == null) {
        return false;
      }
      // No commit is stored after this, as far as memory knows.
      if (store.snapshot() != pending.newestStored()) {
        revertTo(pending.newestStored());
      }
      // The dropped commits may be in the log, or be read from it later.
      ShipmentException lost = cause.withOutcome(ShipmentException.Outcome.UNKNOWN);
      dropped.forEach(commit -> commit.fail(lost));
    }
    return true;
  }
}
