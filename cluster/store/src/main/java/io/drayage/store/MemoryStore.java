package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.database.AppCommit;
import io.drayage.database.InitialTable;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.AppVersion;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Begun;
import io.drayage.receive.MemoryCommitter;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredTable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory database. A cargo is committed as a whole or not at all, and each transaction once.
 *
 * <p>A commit checks the whole cargo, builds the next snapshot next to the current one, and
 * publishes it with one volatile write. A failure before that leaves the current snapshot in place.
 * The arrays of inserted rows become part of the store without a copy. An update copies the pages
 * that it touches.
 *
 * <p>{@link #snapshot()}, {@link #lastApplied()} and {@link #timestampOf} are thread-safe and never
 * block; the other methods exclude each other.
 */
public final class MemoryStore implements MemoryCommitter {
  /** The state that one write publishes. */
  private record State(StoreSnapshot snapshot, @Nullable AppliedChanges lastApplied) {}

  /**
   * The number of recent snapshots whose transactions are known: about 30 MB of memory, and 6 MB in
   * a full snapshot. A cargo with an older base is refused, because it may have committed already.
   */
  public static final int TRANSACTION_WINDOW = 1 << 18;

  /** The memory for the rows that recent commits touched: a sixteenth of the largest heap. */
  private static final long DEFAULT_HISTORY_BYTES = Runtime.getRuntime().maxMemory() / 16;

  private final CommitBuilder builder;
  private final long historyBytes;
  private final int transactionWindow;
  private volatile State state;

  /** Guarded by this, except its timestamps. */
  private volatile KnownCommits log;

  /** Guarded by this. */
  private ChangeHistory history;

  /** Guarded by this. */
  private long lastCopiedBytes;

  /** An empty store with base snapshot 0, with the common pool and one thread per processor. */
  public MemoryStore() {
    this(0, ForkJoinPool.commonPool(), Runtime.getRuntime().availableProcessors());
  }

  /**
   * An empty store.
   *
   * @param baseTimestamp the timestamp of the snapshot before the first commit
   * @param executor runs parts of a commit; if it is busy or rejects a task, the committing thread
   *     does the work
   * @param threads threads that work on a commit, including the committing one
   * @throws IllegalArgumentException if {@code threads} is below 1
   */
  MemoryStore(long baseTimestamp, Executor executor, int threads) {
    this(
        new StoreSnapshot(baseTimestamp, Map.of()),
        KnownTransactions.NONE,
        executor,
        threads,
        DEFAULT_HISTORY_BYTES);
  }

  /**
   * A store that continues from a snapshot.
   *
   * @param base the snapshot before the first commit
   * @param known the transactions that ended before it
   * @param executor runs parts of a commit; if it is busy or rejects a task, the committing thread
   *     does the work
   * @param threads threads that work on a commit, including the committing one
   * @param historyBytes memory limit for the rows that recent commits touched: cargoes made before
   *     these commits are refused. With 0, only cargoes made on the current snapshot are accepted
   * @throws IllegalArgumentException if {@code threads} is below 1
   */
  public MemoryStore(
      StoreSnapshot base,
      KnownTransactions known,
      Executor executor,
      int threads,
      long historyBytes) {
    this(base, known, executor, threads, historyBytes, TRANSACTION_WINDOW);
  }

  /** A store with another window of transactions. */
  MemoryStore(
      StoreSnapshot base,
      KnownTransactions known,
      Executor executor,
      int threads,
      long historyBytes,
      int transactionWindow) {
    this.builder = new CommitBuilder(executor, threads);
    this.historyBytes = historyBytes;
    this.transactionWindow = transactionWindow;
    this.state = new State(base, null);
    this.log = new KnownCommits(base, known, KnownCommits.Limits.of(transactionWindow));
    this.history = new ChangeHistory(base.timestamp(), historyBytes);
  }

  /**
   * Adds a table whose rows hold 0, false or the empty string. The rows use almost no memory until
   * they are updated.
   *
   * @throws IllegalArgumentException if the table exists; if its name, or the name of a column,
   *     differs from another one only in ASCII case; or if {@code rows} is outside 0 to 2^40
   * @throws IllegalStateException if a cargo has been committed
   */
  public synchronized void createTable(TableSchema schema, long rows) {
    StoreSnapshot base = state.snapshot;
    if (!log.isEmpty()) {
      throw new IllegalStateException(
          format(
              "table '%s' cannot be created: snapshot %d is committed already",
              schema.name(), base.timestamp()));
    }
    if (base.find(schema.name()) != null) {
      throw new IllegalArgumentException("table '%s' exists already".formatted(schema.name()));
    }
    String problem = TableRules.problem(schema, TableRules.folded(base));
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    if (rows < 0 || rows > ColumnValues.MAX_ROWS) {
      throw new IllegalArgumentException(
          format(
              "table '%s': %,d rows are outside 0 to %,d",
              schema.name(), rows, ColumnValues.MAX_ROWS));
    }
    begin(base.with(base.timestamp(), List.of(StoredTable.ofDefaults(schema, rows))));
  }

  /**
   * Adds the tables of a new database, with the further types of their columns.
   *
   * @throws IllegalArgumentException as {@link #createTable}
   * @throws IllegalStateException if a cargo has been committed
   */
  public synchronized void createTables(List<InitialTable> tables) {
    TypesTable.Rows types = new TypesTable.Rows();
    for (InitialTable table : tables) {
      createTable(table.schema(), table.rows());
      table.types().forEach((column, type) -> types.add(table.schema().name(), column, type));
    }
    if (types.isEmpty()) {
      return;
    }
    StoreSnapshot base = state.snapshot;
    long timestamp = base.timestamp();
    ChangeCargo.Builder said =
        ChangeCargo.builder(new UUID(0, 0), timestamp).newTable(TypesTable.SCHEMA);
    types.insertInto(said);
    try {
      begin(
          builder
              .build(
                  said.build(),
                  base,
                  timestamp,
                  table -> TableSince.ofReplay(timestamp, table),
                  MemoryLimit.NONE,
                  0)
              .next());
    } catch (ShipmentException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private void begin(StoreSnapshot next) {
    log = new KnownCommits(next, KnownTransactions.NONE, KnownCommits.Limits.of(transactionWindow));
    history = new ChangeHistory(next.timestamp(), historyBytes);
    state = new State(next, null);
  }

  /** The current snapshot. */
  public StoreSnapshot snapshot() {
    return state.snapshot;
  }

  /**
   * The changes of the last commit, to be read back from the store; null before the first commit
   * and after a reset. The row ids of the cargo's updates stay in memory until the next commit.
   */
  public @Nullable AppliedChanges lastApplied() {
    return state.lastApplied;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A transaction whose id has already committed is not applied again: its timestamp is
   * returned. Conflicts are refused.
   */
  @Override
  public long commit(ChangeCargo cargo) throws ShipmentException {
    return commit(cargo, OnConflict.REJECT);
  }

  /**
   * Commits a cargo that was made on the current snapshot or an older one. The cargo is rebased:
   * inserted rows are appended after the rows that others inserted since. Updates and deletes apply
   * to their rows.
   *
   * <p>A transaction whose id has already committed is not applied again: its timestamp is
   * returned.
   *
   * @param onConflict the action if others have changed the same cells or rows since
   * @return the timestamp of the new snapshot
   * @throws ShipmentException {@code CONFLICT} if others have changed them and {@code onConflict}
   *     is {@code REJECT}; names table, column, the number of rows and the first of them. Also
   *     {@code CONFLICT} if the base snapshot is too old to decide, if the cargo makes a table that
   *     must be new and exists, if others have dropped one of its tables since, or have changed a
   *     table that it drops. {@code REJECTED} if the cargo does not match the tables, or adds a
   *     table whose name differs from another one only in case
   */
  public long commit(ChangeCargo cargo, OnConflict onConflict) throws ShipmentException {
    return commit(cargo, onConflict, MemoryLimit.NONE, 0);
  }

  /**
   * Commits a cargo, as {@link #commit(ChangeCargo, OnConflict)} does, within a limit.
   *
   * @param retainedBytes the memory that only earlier, still needed snapshots use: see {@link
   *     #lastCopiedBytes}
   * @throws ShipmentException also {@code FULL} or {@code BUSY} if the commit exceeds the limit
   */
  public synchronized long commit(
      ChangeCargo cargo, OnConflict onConflict, MemoryLimit limit, long retainedBytes)
      throws ShipmentException {
    Long committed = log.committed(cargo.transactionId());
    if (committed != null) {
      return committed;
    }
    log.requireKnown(cargo.transactionId(), cargo.baseSnapshot());
    List<CommitFootprint> later = history.since(cargo.baseSnapshot());
    TableRules rules =
        new TableRules(state.snapshot, cargo.baseSnapshot(), later, onConflict, Long.MAX_VALUE);
    rules.add(cargo);
    CommitBuilder.Built built =
        builder.build(
            cargo,
            state.snapshot,
            state.snapshot.timestamp() + 1,
            table -> TableSince.of(cargo.baseSnapshot(), table, later, null, onConflict),
            limit,
            retainedBytes);
    rules.requireTypesDropped(built.next());
    if (!limit.equals(MemoryLimit.NONE)) {
      lastCopiedBytes = built.growth().copiedBytes();
    }
    publish(built, null);
    return state.snapshot.timestamp();
  }

  /** Begins a build for tables that any snapshot made. */
  TransactionBuild begin(
      LoggedTransaction transaction,
      OnConflict onConflict,
      boolean serializable,
      MemoryLimit limit,
      long retainedBytes)
      throws ShipmentException {
    return begin(transaction, onConflict, serializable, Long.MAX_VALUE, limit, retainedBytes);
  }

  /**
   * Begins to build the snapshot after a transaction of several cargoes, while others commit.
   *
   * @param onConflict the action if others have changed the same cells or rows since its base
   * @param serializable whether it is a conflict if others have inserted since into a table that
   *     the transaction inserts into
   * @param madeUntil a table that it changes, and does not add, must have been made in this
   *     snapshot or before
   * @param limit for the whole transaction; {@code retainedBytes} as for a single cargo
   * @throws ShipmentException {@code CONFLICT} or {@code REJECTED} if its base is too old
   */
  public synchronized TransactionBuild begin(
      LoggedTransaction transaction,
      OnConflict onConflict,
      boolean serializable,
      long madeUntil,
      MemoryLimit limit,
      long retainedBytes)
      throws ShipmentException {
    log.requireKnown(transaction.id(), transaction.baseSnapshot());
    List<CommitFootprint> later = history.since(transaction.baseSnapshot());
    TransactionBuild.Rules rules =
        new TransactionBuild.Rules(
            onConflict,
            serializable,
            limit,
            retainedBytes,
            new TableRules(
                state.snapshot, transaction.baseSnapshot(), later, onConflict, madeUntil));
    return new TransactionBuild(builder, transaction, rules, true, later, state.snapshot);
  }

  /**
   * Rebases a build onto the newest snapshot, so that its commit has less to do.
   *
   * @throws ShipmentException as {@link TransactionBuild#add}
   */
  public void catchUp(TransactionBuild build) throws ShipmentException {
    StoreSnapshot newest;
    List<CommitFootprint> later;
    synchronized (this) {
      newest = state.snapshot;
      later = history.since(build.transaction().baseSnapshot());
    }
    build.rebase(newest, later);
  }

  /**
   * Commits a build, on the newest snapshot.
   *
   * @return the timestamp of the new snapshot; the earlier one if it has committed already
   * @throws ShipmentException as {@link TransactionBuild#add}
   */
  public synchronized long commit(TransactionBuild build) throws ShipmentException {
    LoggedTransaction transaction = build.transaction();
    Long committed = log.committed(transaction.id());
    if (committed != null) {
      return committed;
    }
    log.requireKnown(transaction.id(), transaction.baseSnapshot());
    catchUp(build);
    CommitBuilder.Built built = build.built();
    build.requireCommittable(state.snapshot, built);
    AppCommit app = appCommit(transaction, built.next());
    if (app != null) {
      log.requireRoom(app);
    }
    lastCopiedBytes = built.growth().copiedBytes();
    publish(built, app);
    return state.snapshot.timestamp();
  }

  private static @Nullable AppCommit appCommit(LoggedTransaction transaction, StoreSnapshot next) {
    AppVersion app = transaction.app();
    return app == null ? null : new AppCommit(app, transaction.worker(), next.timestamp());
  }

  /**
   * Begins to apply a commit of another node. That node decided the conflicts, so this node
   * overwrites the same cells.
   *
   * @param timestamp the timestamp of the snapshot on the other node, which must be the next one
   *     here
   * @param digesting whether its digest is to be compared
   * @throws ShipmentException {@code REJECTED} if not: this store is no replica
   */
  public synchronized TransactionBuild replaying(
      LoggedTransaction transaction, long timestamp, boolean digesting) throws ShipmentException {
    requireNext(timestamp);
    return new TransactionBuild(builder, transaction, null, digesting, List.of(), state.snapshot);
  }

  /**
   * Publishes a commit of another node, after all of its cargoes are applied, unless its digest
   * differs.
   *
   * @param applied the {@link TransactionBuild#digest} that it must have; null for any
   * @throws AppliedDiffersException if the digest differs; nothing is changed then
   * @throws ShipmentException {@code REJECTED} if it is not the next one any more
   */
  public synchronized void replay(TransactionBuild build, @Nullable Long applied)
      throws ShipmentException, AppliedDiffersException {
    CommitBuilder.Built built = build.built();
    requireNext(built.next().timestamp());
    if (applied != null && build.digest() != applied) {
      throw new AppliedDiffersException(built.next().timestamp(), applied, build.digest());
    }
    publish(built, appCommit(build.transaction(), built.next()));
  }

  /**
   * Ends a transaction without effect, in a snapshot of its own, which has no changes.
   *
   * @return its timestamp, negative; that of the earlier end if it has ended, as in {@link #endOf}
   */
  public synchronized long end(UUID transactionId) {
    Long end = log.endOf(transactionId);
    if (end != null) {
      return end;
    }
    addUnchanged(transactionId);
    return -state.snapshot.timestamp();
  }

  /**
   * Ends a transaction without effect, as another node has done.
   *
   * @throws ShipmentException {@code REJECTED} if {@code timestamp} is not the next one
   */
  public synchronized void replayEnd(UUID transactionId, long timestamp) throws ShipmentException {
    requireNext(timestamp);
    addUnchanged(transactionId);
  }

  /**
   * Creates the next snapshot without changes, as a new primary does at a takeover.
   *
   * @throws ShipmentException {@code REJECTED} if {@code timestamp} is not the next one
   */
  public synchronized void replayUnchanged(long timestamp) throws ShipmentException {
    requireNext(timestamp);
    addUnchanged(null);
  }

  private synchronized void addUnchanged(@Nullable UUID ended) {
    StoreSnapshot next = state.snapshot.with(state.snapshot.timestamp() + 1, List.of());
    if (ended == null) {
      log.addUnchanged(next);
    } else {
      log.addWithoutEffect(ended, next);
    }
    history.add(new CommitFootprint(next.timestamp(), Map.of(), List.of()));
    state = new State(next, null);
  }

  private void requireNext(long timestamp) throws ShipmentException {
    long current = state.snapshot.timestamp();
    if (timestamp != current + 1) {
      throw Rejection.of(
          format(
              "snapshot %d cannot be applied to snapshot %d: %d is next",
              timestamp, current, current + 1));
    }
  }

  /**
   * The timestamp of a transaction; empty if it has not committed within the last {@link
   * #TRANSACTION_WINDOW} snapshots. During its commit it may be known before its snapshot is the
   * current one.
   */
  public OptionalLong timestampOf(UUID transactionId) {
    Long timestamp = log.timestampOf(transactionId);
    return timestamp == null ? OptionalLong.empty() : OptionalLong.of(timestamp);
  }

  /**
   * The end of a transaction, as in {@link KnownTransactions#ends}; empty if it has not ended
   * within the last {@link #TRANSACTION_WINDOW} snapshots. Thread-safe, never blocks.
   */
  public OptionalLong endOf(UUID transactionId) {
    Long end = log.endOf(transactionId);
    return end == null ? OptionalLong.empty() : OptionalLong.of(end);
  }

  /**
   * The newest commit of an application for each set of tables in these snapshots, or before them
   * if it is one of the last 65,536 such commits. Never blocks.
   */
  public Collection<AppCommit> newestOf(String app) {
    return log.newestOf(app);
  }

  /** The transactions of the last {@link #TRANSACTION_WINDOW} snapshots. */
  public synchronized KnownTransactions known() {
    return log.known();
  }

  /** The largest memory that only the snapshot before the last commit within a limit uses. */
  public synchronized long lastCopiedBytes() {
    return lastCopiedBytes;
  }

  /**
   * The snapshot since which all ends of transactions are known. A transaction with an earlier base
   * may have an end that is not known. Never decreases.
   */
  public synchronized long endsKnownSince() {
    return log.knownSince();
  }

  /** The oldest base snapshot that a cargo may have. */
  public synchronized long oldestBase() {
    return Math.max(history.oldestBase(), log.knownSince());
  }

  private void publish(CommitBuilder.Built built, @Nullable AppCommit app) {
    UUID transactionId = built.changes().transactionId();
    State next = new State(built.next(), built.changes());
    try (Begun begun =
        new Begun(
            () -> history.truncateTo(built.footprint().timestamp() - 1),
            () -> log.remove(transactionId, next.snapshot))) {
      log.add(transactionId, next.snapshot, app);
      history.add(built.footprint());
      state = next;
      begun.keep();
    }
  }

  /**
   * Reverts to an earlier snapshot and forgets the transactions that committed after it.
   *
   * @throws IllegalArgumentException if the current snapshot does not descend from {@code earlier}
   */
  public synchronized void reset(StoreSnapshot earlier) {
    State next = new State(earlier, null);
    log.truncateTo(earlier);
    history.truncateTo(earlier.timestamp());
    state = next;
  }
}
