package io.drayage.transactor.transactions;

import io.drayage.database.AppCommit;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionRequest;
import io.drayage.snapshot.LoggedTransaction;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.store.MemoryLimit;
import io.drayage.store.MemoryStore;
import io.drayage.store.TransactionBuild;
import io.drayage.store.TransactionTerms;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Commits and ends transactions of several workers during a term as primary. Thread-safe. */
public interface TransactionPipeline {
  /** Fails if the term is over. */
  void requireTerm() throws ShipmentException;

  /** The newest snapshot in the log. */
  long newestStored();

  /**
   * The answer of a transaction that has ended or is ending, as in {@link MemoryStore#endOf}; null
   * if it is not.
   */
  @Nullable CompletableFuture<Long> answerOfEnd(UUID transaction, Acknowledgement level)
      throws ShipmentException;

  /**
   * The answer of an application's commit of this version or a later one for the same tables, which
   * is then another transaction's; null if none is known.
   *
   * @param owner who asks; null if that is not known any more
   * @throws ShipmentException {@code REFUSED} if the application is somebody else's, or has
   *     committed this version or a later one for some of the tables
   */
  @Nullable CompletableFuture<AppCommit> answerOfApp(
      AppVersion app, @Nullable String owner, Acknowledgement level) throws ShipmentException;

  /**
   * Begins to build the snapshot after a transaction, while others commit.
   *
   * @param cargoes that it will have
   * @param addedBytes by how much memory will grow, at least
   * @throws ShipmentException {@code FULL} if there is no room for it, {@code REJECTED} if its
   *     entry would be too long; as {@link MemoryStore#begin}
   */
  TransactionBuild begin(TransactionTerms terms, List<SnapshotContents> cargoes, long addedBytes)
      throws ShipmentException;

  /**
   * Commits what was built.
   *
   * @param request how, and within which trace
   * @return the timestamp, once it is as durable as it is wanted
   * @throws ShipmentException {@code REJECTED} if its entry would be too long with the tables that
   *     it adds; as {@link MemoryStore#commit(TransactionBuild, TransactionTerms, MemoryLimit)}
   */
  CompletableFuture<Long> commit(
      TransactionBuild build,
      TransactionTerms terms,
      List<SnapshotContents> cargoes,
      TransactionRequest.Commit request,
      long begunNs)
      throws ShipmentException;

  /**
   * Ends a transaction without effect, unless it has ended.
   *
   * @return once that is in the log: how it ended, as in {@link MemoryStore#endOf}
   */
  CompletableFuture<Long> end(SnapshotKind kind, LoggedTransaction transaction)
      throws ShipmentException;
}
