package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot after a transaction, built cargo by cargo next to the store's current one. The build
 * needs the memory of the database, one cargo, and copies of touched pages. Not thread-safe; the
 * store can commit meanwhile.
 *
 * <p>The idea: each cargo is applied to the {@code tip}. The tip began as the {@code ground}, which
 * was the store's snapshot then. If others have committed when all cargoes are applied, both
 * changes of the ground are merged page by page. A page that only one side has changed is shared.
 * If both have changed a page, the cells are read back from the tip and written again. The pages of
 * inserted rows are appended as they are. So nothing is loaded a second time.
 */
public final class TransactionBuild {
  /** The rules of a commit; a replay of another node's commit has none. */
  record Rules(
      OnConflict onConflict,
      boolean serializable,
      MemoryLimit limit,
      long retainedBytes,
      TableRules tables) {}

  private final CommitBuilder builder;
  private final LoggedTransaction transaction;

  /** Null for a replay. */
  private final @Nullable Rules rules;

  private final boolean digesting;
  private final Map<String, TableTotal> tables = new LinkedHashMap<>();

  private final Set<String> droppedTables = new LinkedHashSet<>();
  private final AddedTables newTables = new AddedTables();
  private List<CommitFootprint> later;

  /** The snapshot of the store. */
  private StoreSnapshot current;

  /** The current snapshot without the dropped tables, and with the new ones. */
  private StoreSnapshot ground;

  private StoreSnapshot tip;

  /** The largest memory that only the current snapshot uses, and not the tip. */
  private long copiedBytes;

  private long digest;
  private int cargoes;
  private long cellsWrittenAgain;

  /** The changes of the only cargo, which are simple. */
  private @Nullable AppliedChanges ofOne;

  /**
   * @param rules of a commit; null for a replay
   * @param later the commits since the transaction's base
   */
  TransactionBuild(
      CommitBuilder builder,
      LoggedTransaction transaction,
      @Nullable Rules rules,
      boolean digesting,
      List<CommitFootprint> later,
      StoreSnapshot ground) {
    this.builder = builder;
    this.transaction = transaction;
    this.rules = rules;
    this.digesting = digesting;
    this.later = later;
    this.current = ground;
    this.ground = ground;
    this.tip = ground;
  }

  /**
   * Applies the next cargo, which must have the transaction's base.
   *
   * @throws ShipmentException as {@link MemoryStore#commit(ChangeCargo, OnConflict, MemoryLimit,
   *     long)}. Also {@code REJECTED} if an earlier cargo updates the same cells, or if the number
   *     of the application does not count for a changed table. Also {@code CONFLICT} if others have
   *     inserted into a table that a serializable transaction inserts into, have made a table that
   *     must be new, or have dropped one of its tables
   * @throws IllegalStateException if the memory differs from the cargo
   */
  public void add(ChangeCargo cargo) throws ShipmentException {
    if (cargo.baseSnapshot() != transaction.baseSnapshot()) {
      throw Rejection.of(
          format(
              "cargo %s was made on snapshot %d, and its transaction %s on %d",
              cargo.transactionId(),
              cargo.baseSnapshot(),
              transaction.id(),
              transaction.baseSnapshot()));
    }
    if (rules != null) {
      requireCounted(cargo, transaction.app());
      rules.tables.add(cargo);
    }
    droppedTables.addAll(cargo.droppedTables());
    newTables.add(cargo.newTables());
    StoreSnapshot kept = ground.without(cargo.droppedTables());
    copiedBytes += ground.memoryBytes() - kept.memoryBytes();
    ground = newTables.in(kept, next());
    tip = newTables.in(tip.without(cargo.droppedTables()), next());
    CommitBuilder.Built built = build(cargo, tip, next(), table -> ownOf(table.schema().name()));
    requireNoInserts(cargo);
    addDigest(cargo, built.changes());
    // Only the current snapshot stays next to the tip: pages that a later cargo copies again are
    // garbage.
    copiedBytes = Math.min(current.memoryBytes(), copiedBytes + built.growth().copiedBytes());
    for (TableChanges changes : cargo.tables()) {
      add(changes, built.footprint());
    }
    tip = built.next();
    ofOne = cargoes++ == 0 ? built.changes() : null;
  }

  /**
   * Fails if the number of its application does not count for a table that the cargo changes. The
   * table of types is exempt: it belongs to the tables that it describes.
   */
  private static void requireCounted(ChangeCargo cargo, @Nullable AppVersion app)
      throws ShipmentException {
    if (app == null) {
      return;
    }
    List<String> changed = new ArrayList<>(cargo.droppedTables());
    cargo.newTables().forEach(table -> changed.add(table.name()));
    cargo.tables().forEach(table -> changed.add(table.table()));
    for (String table : changed) {
      if (!app.tables().contains(table) && !table.equals(TypesTable.NAME)) {
        throw Rejection.of(
            format(
                "table '%s' cannot be changed under version %d of application '%s', which counts for %s",
                table, app.version(), app.app(), app.tables()));
      }
    }
  }

  /** The names of the tables that its cargoes drop. */
  public List<String> droppedTables() {
    return List.copyOf(droppedTables);
  }

  /** The tables that its cargoes add unless they exist. */
  public List<TableSchema> newTables() {
    return newTables.schemas();
  }

  private @Nullable TableFootprint ownOf(String table) {
    TableTotal total = tables.get(table);
    return total == null ? null : total.touched();
  }

  private CommitBuilder.Built build(
      ChangeCargo cargo,
      StoreSnapshot on,
      long timestamp,
      Function<StoredTable, @Nullable TableFootprint> own)
      throws ShipmentException {
    Rules how = rules;
    return how == null
        ? builder.build(
            cargo,
            on,
            timestamp,
            table -> TableSince.ofReplay(transaction.baseSnapshot(), table),
            MemoryLimit.NONE,
            0)
        : builder.build(
            cargo,
            on,
            timestamp,
            table ->
                TableSince.of(
                    transaction.baseSnapshot(), table, later, own.apply(table), how.onConflict),
            how.limit,
            how.retainedBytes + copiedBytes);
  }

  private void requireNoInserts(ChangeCargo cargo) throws ShipmentException {
    if (rules == null || !rules.serializable) {
      return;
    }
    for (TableChanges changes : cargo.tables()) {
      if (changes.insertedRowCount() > 0) {
        requireNoInserts(changes.table());
      }
    }
  }

  private void requireNoInserts(String table) throws ShipmentException {
    long others =
        TableSince.of(
                transaction.baseSnapshot(), ground.table(table), later, null, OnConflict.REJECT)
            .insertedRows();
    if (others > 0) {
      throw new ShipmentException(
          Fault.CONFLICT,
          format(
              "table '%s': others have inserted %,d rows since snapshot %d, and the transaction is serializable",
              table, others, transaction.baseSnapshot()));
    }
  }

  private void addDigest(ChangeCargo cargo, AppliedChanges changes) {
    if (digesting) {
      long next = rules == null ? changes.appliedDigest() : changes.appliedDigest(cargo);
      digest = AppliedDigest.followedBy(digest, next);
    }
  }

  private void add(TableChanges changes, CommitFootprint touched) {
    TableFootprint footprint = touched.tables().get(changes.table());
    RowBits deletes = changes.deletedRows();
    if (footprint != null) {
      tables.merge(
          changes.table(),
          new TableTotal(
              footprint,
              changes.insertedRowCount() > 0,
              deletes == null ? AppliedChanges.NO_DELETES : deletes.size()),
          TableTotal::plus);
    }
  }

  /**
   * Rebases the build onto the current snapshot: others have committed, or its ground was undone.
   *
   * @param since all commits after the transaction's base
   * @throws ShipmentException as {@link #add}; the build is then unusable
   */
  void rebase(StoreSnapshot newest, List<CommitFootprint> since) throws ShipmentException {
    boolean goesOn = since.size() >= later.size() && since.subList(0, later.size()).equals(later);
    List<CommitFootprint> fresh = goesOn ? since.subList(later.size(), since.size()) : since;
    later = since;
    if (isSame(newest, current)) {
      return;
    }
    if (rules != null) {
      rules.tables.requireOn(newest, since);
    }
    long timestamp = newest.timestamp() + 1;
    StoreSnapshot next = newTables.in(newest.without(droppedTables), timestamp);
    List<StoredTable> moved = new ArrayList<>();
    for (Map.Entry<String, TableTotal> each : tables.entrySet()) {
      String name = each.getKey();
      StoredTable found = require(name, next);
      boolean untouched = isSame(found, ground.table(name));
      moved.add(untouched ? tip.table(name) : rebased(name, each.getValue(), next, fresh));
      if (!untouched) {
        each.setValue(each.getValue().withRowsBefore(found.rowCount()));
      }
    }
    current = newest;
    ground = next;
    tip = next.with(timestamp, moved);
    ofOne = null;
    if (rules != null && rules.serializable) {
      for (Map.Entry<String, TableTotal> each : tables.entrySet()) {
        if (each.getValue().inserts()) {
          requireNoInserts(each.getKey());
        }
      }
    }
  }

  /** Returns a changed table. Fails if the transaction that added the table was undone. */
  private StoredTable require(String name, StoreSnapshot newest) throws ShipmentException {
    StoredTable found = newest.find(name);
    if (found == null || found.schema().difference(ground.table(name).schema()) != null) {
      throw Rejection.of(
          "table '%s' is not there any more: the transaction that added it could not commit"
              .formatted(name));
    }
    return found;
  }

  /** Whether the tables are the same: snapshots share unchanged tables. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(StoredTable one, StoredTable other) {
    return one == other;
  }

  /** Whether the snapshots are the same. A timestamp that was undone is used again. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(StoreSnapshot one, StoreSnapshot other) {
    return one == other;
  }

  /** Returns a table with the changes of others since. */
  private StoredTable rebased(
      String name, TableTotal total, StoreSnapshot newest, List<CommitFootprint> fresh)
      throws ShipmentException {
    StoredTable now = newest.table(name);
    if (rules != null) {
      TableSince.of(transaction.baseSnapshot(), now, fresh, null, rules.onConflict)
          .check(total.touched());
    }
    TableMerge merge = new TableMerge(total.touched(), ground.table(name), now, tip.table(name));
    return merge.result(writtenAgain(merge.again(), merge.table(), newest));
  }

  /** Writes cells of the tip into a table of a snapshot. */
  private StoredTable writtenAgain(TableFootprint cells, StoredTable table, StoreSnapshot on)
      throws ShipmentException {
    long count = cells.updated().stream().mapToLong(RowSet::count).sum();
    cellsWrittenAgain += count;
    if (count == 0) {
      return table;
    }
    String name = table.schema().name();
    TableTotal total = new TableTotal(cells, false, AppliedChanges.NO_DELETES);
    ChangeCargo again =
        AppliedChanges.of(
                transaction.id(),
                transaction.baseSnapshot(),
                List.of(),
                List.of(),
                Map.of(name, total),
                tip,
                tip)
            .readBack();
    CommitBuilder.Built built =
        build(again, on.with(on.timestamp(), List.of(table)), on.timestamp() + 1, unused -> null);
    if (digesting) {
      long unusedDigest = built.changes().appliedDigest(again); // Fails if memory is wrong.
    }
    return built.next().table(name);
  }

  /** The number of cells that were written again by rebases. */
  long cellsWrittenAgain() {
    return cellsWrittenAgain;
  }

  /** The result, to be published. */
  CommitBuilder.Built built() {
    Map<String, TableFootprint> touched = new LinkedHashMap<>();
    tables.forEach((name, total) -> touched.put(name, total.touched()));
    StoreSnapshot next =
        tip.timestamp() > ground.timestamp() ? tip : ground.with(next(), List.of());
    AppliedChanges changes =
        ofOne == null
            ? AppliedChanges.of(
                transaction.id(),
                transaction.baseSnapshot(),
                droppedTables,
                newTables.names(),
                tables,
                ground,
                next)
            : ofOne.as(transaction.id());
    return new CommitBuilder.Built(
        next,
        changes,
        new CommitFootprint(next.timestamp(), touched, droppedTables()),
        new MemoryGrowth(next.memoryBytes() - current.memoryBytes(), copiedBytes));
  }

  private long next() {
    return ground.timestamp() + 1;
  }

  LoggedTransaction transaction() {
    return transaction;
  }

  /** Fails if a commit has no room on a snapshot, or leaves types of a dropped table. */
  void requireCommittable(StoreSnapshot on, CommitBuilder.Built built) throws ShipmentException {
    if (rules != null) {
      rules.limit.requireRoom(on.memoryBytes(), built.growth().addedBytes());
      rules.tables.requireTypesDropped(built.next());
    }
  }

  /**
   * The {@link io.drayage.cargo.AppliedDigest} of the applied changes: that of the only cargo, or a
   * digest that depends on all cargoes in their order.
   */
  public long digest() {
    return digest;
  }
}
