package io.drayage.snapshot;

import io.drayage.cargo.TableSchema;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.LoggedTransaction;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a manifest: one record for each kind of it. All but {@link Full} are entries of
 * the log.
 */
public sealed interface SnapshotKind {
  /** The name of the kind, as written in a manifest. */
  String text();

  /** The answer of the case that a kind belongs to. */
  <R extends @Nullable Object, E extends Exception> R fold(
      Case<Commit, R, E> commit,
      Case<End, R, E> end,
      Case<Takeover, R, E> takeover,
      Case<Full, R, E> full)
      throws E;

  /** One case of {@link #fold}. */
  @FunctionalInterface
  interface Case<K extends SnapshotKind, R extends @Nullable Object, E extends Exception> {
    R of(K kind) throws E;
  }

  /** The transaction that it ends; else null. */
  default @Nullable LoggedTransaction transaction() {
    return null;
  }

  /** The cargoes that it stores, in the order in which they are applied. */
  default List<SnapshotContents> cargoes() {
    return List.of();
  }

  /**
   * The changes of one transaction.
   *
   * @param transaction that takes effect
   * @param applied the {@link io.drayage.cargo.AppliedDigest} of what the primary applied, read
   *     back from its memory
   * @param newTables what the cargoes add unless it exists, for who does not read them
   * @param cargoes of the transaction, in the order in which they are applied
   */
  record Commit(
      LoggedTransaction transaction,
      long applied,
      List<TableSchema> newTables,
      List<SnapshotContents> cargoes)
      implements SnapshotKind {
    public Commit {
      newTables = List.copyOf(newTables);
      cargoes = List.copyOf(cargoes);
    }

    /** That of one cargo without new tables. */
    public static Commit of(long applied, SnapshotContents cargo) {
      LoggedTransaction transaction =
          new LoggedTransaction(
              cargo.header().transactionId(),
              cargo.header().baseSnapshot(),
              cargo.header().worker(),
              null);
      return new Commit(transaction, applied, List.of(), List.of(cargo));
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

  /** No changes: a transaction ends without effect. */
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

  /** An end as its coordinator wanted it. */
  record Abort(LoggedTransaction transaction) implements End {
    @Override
    public String text() {
      return "abort";
    }
  }

  /** An end because nobody renewed the lease. */
  record Expired(LoggedTransaction transaction) implements End {
    @Override
    public String text() {
      return "expired";
    }
  }

  /**
   * No changes: a new primary has taken over, which bars the former primary from the log.
   *
   * @param cluster whose primary took over
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
   * @param origin what the database was restored from; null unless it was
   * @param rows as one cargo
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
