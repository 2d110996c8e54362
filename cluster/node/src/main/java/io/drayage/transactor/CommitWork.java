package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableSchema;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TraceContext;
import io.drayage.receive.ReceivedCargo;
import io.drayage.snapshot.CargoUpload;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.UnwritableStore;
import io.drayage.store.AppliedChanges;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The contents of a future entry of the log: the end of a transaction. */
sealed interface CommitWork {
  LoggedTransaction transaction();

  /**
   * The contents of the entry.
   *
   * @param applied the digest of the applied changes; meaningless if nothing was applied
   * @param droppedTables the names of the tables that were dropped
   * @param newTables the tables that were to be added
   * @param cargoes the applied cargoes, in that order
   */
  default SnapshotKind entry(
      long applied,
      List<String> droppedTables,
      List<TableSchema> newTables,
      List<SnapshotContents> cargoes) {
    return new SnapshotKind.Commit(transaction(), applied, droppedTables, newTables, cargoes);
  }

  /** The trace of the request; null if nobody records it. */
  @Nullable TraceContext trace();

  /** The fragments of a transaction of several workers, in order; else none. */
  default List<UUID> fragments() {
    return List.of();
  }

  /** The workers that sent the fragments, in alphabetical order. */
  default List<String> senders() {
    return List.of();
  }

  /** The time of the request, by {@link System#nanoTime}. */
  long begunNs();

  /** The time when all data was received, by {@link System#nanoTime}. */
  long sealedNs();

  /**
   * The time when the changes were applied, by {@link System#nanoTime}: now, unless it is known.
   */
  default long appliedNs() {
    return System.nanoTime();
  }

  /** Completes when the cargoes of the entry are durable, or with the reason of a failure. */
  CompletableFuture<List<SnapshotContents>> stored();

  /**
   * Waits until the cargoes of the entry are durable.
   *
   * @param what the thing to be stored, for messages
   * @throws ShipmentException {@code REFUSED} if they cannot be stored, or not within the timeout;
   *     {@code BUSY} if the failure may pass; {@code CANCELLED} if this thread is interrupted
   */
  default void awaitStored(String what, long timeoutMs) throws ShipmentException {
    try {
      List<SnapshotContents> unused = stored().get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw storeFailure(what, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new ShipmentException(
          Fault.REFUSED,
          format(
              "%s cannot be stored: the object store did not finish within %,d ms",
              what, timeoutMs),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShipmentException(Fault.CANCELLED, "the transactor is shutting down", e);
    }
  }

  /** The answer to the worker if something cannot be stored. */
  static ShipmentException storeFailure(String what, Throwable cause) {
    return cause instanceof ShipmentException named
        ? named
        : UnwritableStore.told(Fault.REFUSED, what + " cannot be stored", cause);
  }

  /** Discards the data, because no entry follows. */
  void discard();

  /**
   * The digest of the applied changes, for the entry. Called again only after a failure.
   *
   * @param changes read back from memory
   * @throws IllegalStateException if the changes differ from the received cargo
   */
  long appliedDigest(AppliedChanges changes);

  /** A commit of one cargo, which is being stored. */
  final class OneCargo implements CommitWork {
    private final ShipmentHeader header;
    private final CargoUpload recording;

    /** The received cargo, until it is compared. */
    private @Nullable ChangeCargo received;

    /** The digest of the applied changes, once they are compared. */
    private long digest;

    private long builtNs;

    OneCargo(ReceivedCargo<CargoUpload> cargo) {
      this.header = cargo.header();
      this.recording = cargo.recording();
      this.received = cargo.cargo();
    }

    @Override
    public LoggedTransaction transaction() {
      return new LoggedTransaction(
          header.transactionId(), header.baseSnapshot(), header.worker(), null);
    }

    @Override
    public @Nullable TraceContext trace() {
      return header.trace();
    }

    @Override
    public long begunNs() {
      return recording.begunNs();
    }

    @Override
    public long sealedNs() {
      return recording.sealedNs();
    }

    @Override
    public CompletableFuture<List<SnapshotContents>> stored() {
      return recording.stored().thenApply(List::of);
    }

    @Override
    public void discard() {
      recording.discard();
    }

    /** Notes that a build next to the database has the changes, compared with the cargo. */
    void built(long appliedDigest) {
      compared(appliedDigest);
      builtNs = System.nanoTime();
    }

    private void compared(long appliedDigest) {
      digest = appliedDigest;
      received = null;
    }

    @Override
    public long appliedNs() {
      return builtNs == 0 ? System.nanoTime() : builtNs;
    }

    @Override
    public long appliedDigest(AppliedChanges changes) {
      ChangeCargo cargo = received;
      if (cargo != null) {
        compared(changes.appliedDigest(cargo));
      }
      return digest;
    }
  }

  /**
   * A commit of stored fragments, which stay if it fails.
   *
   * @param digest of the applied changes, already compared
   */
  record Fragments(
      LoggedTransaction transaction,
      List<SnapshotContents> cargoes,
      long digest,
      @Nullable TraceContext trace,
      long begunNs,
      long sealedNs)
      implements CommitWork {
    @Override
    public List<UUID> fragments() {
      return cargoes.stream().map(cargo -> cargo.header().transactionId()).toList();
    }

    @Override
    public List<String> senders() {
      return cargoes.stream().map(cargo -> cargo.header().worker()).distinct().sorted().toList();
    }

    @Override
    public CompletableFuture<List<SnapshotContents>> stored() {
      return CompletableFuture.completedFuture(cargoes);
    }

    @Override
    public void discard() {}

    @Override
    public long appliedDigest(AppliedChanges changes) {
      return digest;
    }
  }

  /** The end of a transaction without effect. */
  record End(SnapshotKind.End end, long begunNs) implements CommitWork {
    @Override
    public LoggedTransaction transaction() {
      return end.transaction();
    }

    @Override
    public SnapshotKind entry(
        long applied,
        List<String> droppedTables,
        List<TableSchema> newTables,
        List<SnapshotContents> cargoes) {
      return end;
    }

    @Override
    public @Nullable TraceContext trace() {
      return null;
    }

    @Override
    public long sealedNs() {
      return begunNs;
    }

    @Override
    public CompletableFuture<List<SnapshotContents>> stored() {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public void discard() {}

    @Override
    public long appliedDigest(AppliedChanges changes) {
      throw new IllegalStateException("nothing was applied");
    }
  }
}
