package io.drayage.snapshot;

import io.drayage.cargo.TableSchema;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.LoggedTransaction;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a manifest, with one record for each kind. All kinds but {@link Full} are entries
 * of the log.
 */
public sealed interface SnapshotKind {
  /** The name of the kind, as written in a manifest. */
  String text();

  /** Calls the case of this kind, and returns its result. */
  <R extends @Nullable Object, E extends Exception> R fold(
      Case<Commit, R, E> commit,
      Case<End, R, E> end,
      Case<Takeover, R, E> takeover,
      Case<Full, R, E> full)
      throws E;

  /** One case of {@link #fold}. */
  interface Case<K extends SnapshotKind, R extends @Nullable Object, E extends Exception> {
    R of(K kind) throws E;
  }

  /** The transaction that the entry ends; null for other entries. */
  default @Nullable LoggedTransaction transaction() {
    return null;
  }

  /** The cargoes of the entry, in the order in which they are applied. */
  default List<SnapshotContents> cargoes() {
    return List.of();
  }

  /**
   * The changes of one transaction.
   *
   * @param transaction that takes effect
   * @param applied the {@link io.drayage.cargo.AppliedDigest} of the changes that the primary
   *     applied, read back from its memory
   * @param droppedTables the names of the tables that the cargoes drop, without reading the cargoes
   * @param newTables the tables that the cargoes then add unless they exist
   * @param cargoes of the transaction, in the order in which they are applied
   */
  record Commit(
      LoggedTransaction transaction,
      long applied,
      List<String> droppedTables,
      List<TableSchema> newTables,
      List<SnapshotContents> cargoes)
      implements SnapshotKind {
    public Commit {
      droppedTables = List.copyOf(droppedTables);
      newTables = List.copyOf(newTables);
      cargoes = List.copyOf(cargoes);
    }

    /** A commit of one cargo that neither drops nor adds tables. */
    public static Commit of(long applied, SnapshotContents cargo) {
      LoggedTransaction transaction =
          new LoggedTransaction(
              cargo.header().transactionId(),
              cargo.header().baseSnapshot(),
              cargo.header().worker(),
              null);
      return new Commit(transaction, applied, List.of(), List.of(), List.of(cargo));
    }

    @Override
    public String text() {
      return "commit";
    }

    @Override
    public <R extends @Nullable Object, E extends Exception> R fold(
        Case<Commit, R, E> commit,
        Case<End, R, E> end,
        Case<Takeover, R, E> takeover,
        Case<Full, R, E> full)
        throws E {
      return commit.of(this);
    }
  }

  /** The end of a transaction without effect; no changes. */
  sealed interface End extends SnapshotKind {
    @Override
    LoggedTransaction transaction();

    @Override
    default <R extends @Nullable Object, E extends Exception> R fold(
        Case<Commit, R, E> commit,
        Case<End, R, E> end,
        Case<Takeover, R, E> takeover,
        Case<Full, R, E> full)
        throws E {
      return end.of(this);
    }
  }

  /** An end that the coordinator of the transaction requested. */
  record Abort(LoggedTransaction transaction) implements End {
    @Override
    public String text() {
      return "abort";
    }
  }

  /** An end because the lease was not renewed. */
  record Expired(LoggedTransaction transaction) implements End {
    @Override
    public String text() {
      return "expired";
    }
  }

  /**
   * The takeover of a new primary, which bars the former primary from the log; no changes.
   *
   * @param cluster of the primary
   */
  record Takeover(UUID cluster) implements SnapshotKind {
    @Override
    public String text() {
      return "takeover";
    }

    @Override
    public <R extends @Nullable Object, E extends Exception> R fold(
        Case<Commit, R, E> commit,
        Case<End, R, E> end,
        Case<Takeover, R, E> takeover,
        Case<Full, R, E> full)
        throws E {
      return takeover.of(this);
    }
  }

  /**
   * All rows of all tables.
   *
   * @param origin the origin of a restored database; null for others
   * @param rows all rows, as one cargo
   * @param history the transactions that it contains, see {@link CommitHistory}
   */
  record Full(@Nullable DatabaseOrigin origin, SnapshotContents rows, StoredBytes history)
      implements SnapshotKind {
    @Override
    public String text() {
      return "full";
    }

    @Override
    public List<SnapshotContents> cargoes() {
      return List.of(rows);
    }

    @Override
    public <R extends @Nullable Object, E extends Exception> R fold(
        Case<Commit, R, E> commit,
        Case<End, R, E> end,
        Case<Takeover, R, E> takeover,
        Case<Full, R, E> full)
        throws E {
      return full.of(this);
    }
  }
}
