package io.drayage.store;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableChanges;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Builds the snapshot after a commit, next to the current one, with the help of other threads.
 * Thread-safe.
 */
record CommitBuilder(Executor executor, int threads) {
  /** Values of inserted rows for which it does not pay to wake another thread. */
  private static final long FEW_VALUES = 1 << 16;

  /**
   * The result of a build, to be published.
   *
   * @param growth the memory that the commit needs; {@link MemoryGrowth#NONE} without a limit
   */
  record Built(
      StoreSnapshot next, AppliedChanges changes, CommitFootprint footprint, MemoryGrowth growth) {}

  /** See {@link MemoryStore#MemoryStore(StoreSnapshot, Map, Executor, int, long)}. */
  CommitBuilder {
    if (threads < 1) {
      throw new IllegalArgumentException("a commit needs 1 thread or more, not " + threads);
    }
  }

  /**
   * Builds the snapshot after a commit.
   *
   * @param timestamp of the new snapshot
   * @param since for each table, the changes of others since the cargo's base snapshot
   * @throws ShipmentException as {@link MemoryStore#commit(ChangeCargo, OnConflict, MemoryLimit,
   *     long)}
   */
  Built build(
      ChangeCargo cargo,
      StoreSnapshot base,
      long timestamp,
      Function<StoredTable, TableSince> since,
      MemoryLimit limit,
      long retainedBytes)
      throws ShipmentException {
    StoreSnapshot kept = base.without(cargo.droppedTables());
    StoreSnapshot ground = kept.withTables(StoreSnapshot.empty(cargo.newTables(), timestamp));
    int workers = isSmall(cargo) ? 1 : threads;
    List<TableCommit> tables = check(cargo, ground, since, workers);
    MemoryGrowth growth = MemoryGrowth.NONE;
    if (!limit.equals(MemoryLimit.NONE)) {
      // The snapshot before keeps the dropped tables.
      growth =
          measure(tables, workers)
              .plus(new MemoryGrowth(0, base.memoryBytes() - kept.memoryBytes()));
      limit.admit(ground.memoryBytes(), growth, retainedBytes);
    }
    StoreSnapshot next = apply(tables, ground, timestamp, workers);
    Map<String, TableFootprint> touched = new HashMap<>();
    tables.forEach(table -> touched.put(table.tableName(), table.footprint()));
    return new Built(
        next,
        AppliedChanges.of(cargo, touched, ground, next),
        new CommitFootprint(next.timestamp(), touched, cargo.droppedTables()),
        growth);
  }

  /** Whether a cargo only inserts few values. A few updates may copy many pages. */
  private static boolean isSmall(ChangeCargo cargo) {
    return CargoSize.valueCount(cargo) <= FEW_VALUES
        && cargo.tables().stream().allMatch(table -> table.updates().isEmpty());
  }

  private List<TableCommit> check(
      ChangeCargo cargo, StoreSnapshot base, Function<StoredTable, TableSince> since, int workers)
      throws ShipmentException {
    List<TableCommit> tables = new ArrayList<>();
    List<TaskGroup.Task> checks = new ArrayList<>();
    for (TableChanges changes : cargo.tables()) {
      StoredTable table = base.find(changes.table());
      if (table == null) {
        throw Rejection.of("table '%s' does not exist".formatted(changes.table()));
      }
      TableCommit commit = new TableCommit(table, since.apply(table), changes);
      commit.addChecks(checks);
      tables.add(commit);
    }
    TaskGroup.run(executor, workers, checks);
    return tables;
  }

  private MemoryGrowth measure(List<TableCommit> tables, int workers) throws ShipmentException {
    List<TaskGroup.Task> measuring = new ArrayList<>();
    tables.forEach(table -> table.addMeasuring(measuring));
    TaskGroup.run(executor, workers, measuring);
    return tables.stream().map(TableCommit::growth).reduce(MemoryGrowth.NONE, MemoryGrowth::plus);
  }

  private StoreSnapshot apply(
      List<TableCommit> tables, StoreSnapshot base, long timestamp, int workers)
      throws ShipmentException {
    List<TaskGroup.Task> work = new ArrayList<>();
    tables.forEach(table -> table.addWork(work));
    TaskGroup.run(executor, workers, work);
    return base.with(timestamp, tables.stream().map(TableCommit::result).toList());
  }
}
