package io.drayage.transactor;

import io.drayage.database.AppCommit;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.AppVersion;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionRequest;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotLoader.EntryCargoes;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.store.MemoryStore;
import io.drayage.store.TransactionBuild;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Commits and ends transactions of several workers during a term as primary. Thread-safe. */
interface TransactionCommitter {
  /** The newest snapshot in the log. */
  long newestStored();

  /**
   * The answer for a transaction that has ended or is ending, as in {@link MemoryStore#endOf}; null
   * for any other.
   */
  @Nullable CompletableFuture<Long> answerOfEnd(UUID transaction, Acknowledgement level)
      throws ShipmentException;

  /**
   * The answer of an application's commit of this version or a later one for the same tables, by
   * another transaction; null if none is known.
   *
   * @param owner the requesting worker; null if it is no longer known
   * @throws ShipmentException {@code REFUSED} if the application belongs to another owner, or has
   *     committed this version or a later one for some of the tables
   */
  @Nullable CompletableFuture<AppCommit> answerOfApp(
      AppVersion app, @Nullable String owner, Acknowledgement level) throws ShipmentException;

  /**
   * Commits fragments: builds the snapshot with them, one after the other, while others commit.
   *
   * @param request the options of the commit, and its trace
   * @param cargoes of the fragments, each loaded on demand
   * @return the timestamp, once it is as durable as requested
   * @throws ShipmentException {@code FULL} if there is no room for it; {@code REJECTED} if its
   *     entry, with the tables that it adds, would be too long; as {@link MemoryStore#begin} and
   *     {@link MemoryStore#commit(TransactionBuild)}
   * @throws IOException if a cargo cannot be loaded
   */
  CompletableFuture<Long> commitAll(
      LoggedTransaction transaction,
      TransactionRequest.Commit request,
      List<Fragment> fragments,
      EntryCargoes cargoes,
      long begunNs)
      throws IOException;

  /**
   * Ends a transaction without effect, unless it has ended.
   *
   * @return the end, as in {@link MemoryStore#endOf}, once it is in the log
   */
  CompletableFuture<Long> end(SnapshotKind.End end) throws ShipmentException;
}
