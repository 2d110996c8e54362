package io.drayage.transactor;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableChanges;
import io.drayage.frame.ShipmentException;
import io.drayage.pipeline.CargoCommitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * A database in memory that commits cargoes: all of a cargo or nothing, each transaction once.
 *
 * <p>A commit checks the whole cargo, builds the next snapshot beside the current one and publishes
 * it with one volatile write. Whatever fails before that leaves the current snapshot in force. The
 * arrays of inserted rows become part of the store without a copy; an update copies the pages that
 * it touches.
 *
 * <p>{@link #snapshot()} and {@link #lastApplied()} are for any thread and never wait; the other
 * methods exclude each other.
 */
public final class MemoryStore implements CargoCommitter {
  /** What readers see, published by one write. */
  private record State(StoreSnapshot snapshot, @Nullable AppliedChanges lastApplied) {}

  private final Executor executor;
  private final int threads;
  private volatile State state;

  /** Guarded by this. */
  private CommitLog log;

  /** A store on the common pool, with one thread for each processor, whose base snapshot is 0. */
  public MemoryStore() {
    this(0, ForkJoinPool.commonPool(), Runtime.getRuntime().availableProcessors());
  }

  /**
   * An empty store.
   *
   * @param baseTimestamp the timestamp of the snapshot before the first commit
   * @param executor runs parts of a commit; it may be busy or refuse, for the committing thread
   *     does itself what no other thread has begun
   * @param threads how many threads work on a commit, the committing one included
   * @throws IllegalArgumentException if {@code threads} is below 1
   */
  public MemoryStore(long baseTimestamp, Executor executor, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("a commit needs 1 thread or more, not " + threads);
    }
    this.executor = executor;
    this.threads = threads;
    StoreSnapshot base = new StoreSnapshot(baseTimestamp, Map.of());
    this.state = new State(base, null);
    this.log = new CommitLog(base);
  }

  /**
   * Adds a table whose rows hold 0, false or the empty string. They cost no memory to speak of
   * until they are updated.
   *
   * @throws IllegalArgumentException if the table exists, or if {@code rows} is outside 0 to 2^40
   * @throws IllegalStateException if a cargo has been committed
   */
  public synchronized void createTable(TableSchema schema, long rows) {
    StoreSnapshot base = state.snapshot;
    if (!log.isEmpty()) {
      throw new IllegalStateException(
          "table '%s' comes too late: snapshot %d is committed"
              .formatted(schema.name(), base.timestamp()));
    }
    if (base.find(schema.name()) != null) {
      throw new IllegalArgumentException("table '%s' exists already".formatted(schema.name()));
    }
    if (rows < 0 || rows > ColumnValues.MAX_ROWS) {
      throw new IllegalArgumentException(
          "table '%s': %,d rows are outside 0 to %,d"
              .formatted(schema.name(), rows, ColumnValues.MAX_ROWS));
    }
    StoreSnapshot next = base.with(base.timestamp(), List.of(StoredTable.ofDefaults(schema, rows)));
    log = new CommitLog(next);
    state = new State(next, null);
  }

  /** The current snapshot. */
  public StoreSnapshot snapshot() {
    return state.snapshot;
  }

  /**
   * What the last commit changed, to be read back from the store; null before the first commit and
   * after a reset. It keeps the row ids of that cargo's updates in memory until the next commit.
   */
  public @Nullable AppliedChanges lastApplied() {
    return state.lastApplied;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A transaction that has committed before, by its id, is not applied again: the timestamp that
   * it was given then is returned.
   */
  @Override
  public synchronized long commit(ChangeCargo cargo) throws ShipmentException {
    Long committed = log.timestampOf(cargo.transactionId());
    if (committed != null) {
      return committed;
    }
    StoreSnapshot base = state.snapshot;
    if (cargo.baseSnapshot() != base.timestamp()) {
      throw Rejection.of(
          "base snapshot %d is not the current snapshot %d"
              .formatted(cargo.baseSnapshot(), base.timestamp()));
    }
    List<TableCommit> tables = check(cargo, base);
    StoreSnapshot next = apply(tables, base);
    publish(cargo.transactionId(), new State(next, AppliedChanges.of(cargo, base, next)));
    return next.timestamp();
  }

  private List<TableCommit> check(ChangeCargo cargo, StoreSnapshot base) throws ShipmentException {
    List<TableCommit> tables = new ArrayList<>();
    List<TaskGroup.Task> checks = new ArrayList<>();
    for (TableChanges changes : cargo.tables()) {
      StoredTable table = base.find(changes.table());
      if (table == null) {
        throw Rejection.of("table '%s' does not exist".formatted(changes.table()));
      }
      TableCommit commit = new TableCommit(table, changes);
      commit.addChecks(checks);
      tables.add(commit);
    }
    TaskGroup.run(executor, threads, checks);
    return tables;
  }

  private StoreSnapshot apply(List<TableCommit> tables, StoreSnapshot base)
      throws ShipmentException {
    List<TaskGroup.Task> work = new ArrayList<>();
    tables.forEach(table -> table.addWork(work));
    TaskGroup.run(executor, threads, work);
    return base.with(base.timestamp() + 1, tables.stream().map(TableCommit::result).toList());
  }

  private void publish(UUID transactionId, State next) {
    boolean published = false;
    try {
      log.add(transactionId, next.snapshot);
      state = next;
      published = true;
    } finally {
      if (!published) {
        log.remove(transactionId);
      }
    }
  }

  /**
   * Goes back to an earlier snapshot and forgets the transactions that committed after it.
   *
   * @throws IllegalArgumentException if the current snapshot does not descend from {@code earlier}
   */
  public synchronized void reset(StoreSnapshot earlier) {
    State next = new State(earlier, null);
    log.truncateTo(earlier);
    state = next;
  }
}
