package io.drayage.store;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.store.column.CellReader;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one commit, read back from the store. If the store holds the right contents,
 * {@link #digest()} is the {@link CargoDigest} of the cargo.
 *
 * <p>Only names, rows and the order of row ids are kept from the cargo. Values, nulls, the number
 * of inserted rows and the deleted rows are all read from the snapshot. Rows that the cargo does
 * not name are not read. Immutable.
 */
public final class AppliedChanges {
  /**
   * The changes in one table, and its size before.
   *
   * @param several whether more than one cargo may have inserted the rows
   */
  private record TableShape(
      String table,
      long rowsBefore,
      DeletedRows deletedBefore,
      List<String> insertedColumns,
      List<UpdatedCells> updates,
      long deletedBits,
      @Nullable RowBits deletedTwice,
      boolean several) {}

  /**
   * The number of changes in a table.
   *
   * @param updated values, of all columns together
   */
  public record ChangedRows(String table, long inserted, long updated, long deleted) {}

  /**
   * A walk over updated rows: each row once, ascending. Needs the memory of a few rows, whatever
   * their number. Not thread-safe.
   */
  public static final class UpdatedRows {
    private final List<UpdatedCells> cells;
    private final RowCursor cursor;

    private UpdatedRows(List<UpdatedCells> cells) {
      this.cells = cells;
      this.cursor = new RowCursor(cells.stream().map(UpdatedCells::rows).toList());
    }

    /** Moves to the next row. Returns false if there is none. */
    public boolean next() {
      return cursor.next();
    }

    /** The number of the row. */
    public long row() {
      return cursor.row();
    }

    /** The columns of the row that are updated, in the order of the cargo. */
    public List<String> columns() {
      List<String> updated = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        if (cursor.isIn(i)) {
          updated.add(cells.get(i).column);
        }
      }
      return updated;
    }
  }

  /**
   * The updates of one column.
   *
   * @param inOrder the row ids in the order of the cargo; null if they ascend
   */
  private record UpdatedCells(String column, RowSet rows, @Nullable ColumnValues inOrder) {
    ColumnValues rowIds() {
      return inOrder == null ? rows.rowIds() : inOrder;
    }
  }

  /** The value of {@link TableShape#deletedBits} if the cargo deletes no rows. */
  static final long NO_DELETES = -1;

  private final UUID transactionId;
  private final long baseSnapshot;

  /** The names of the tables that the transaction drops. */
  private final List<String> droppedTables;

  /** The names of the tables that the transaction adds unless they exist. */
  private final List<String> newTables;

  private final List<TableShape> shapes;
  private final StoreSnapshot snapshot;

  private AppliedChanges(
      UUID transactionId,
      long baseSnapshot,
      List<String> droppedTables,
      List<String> newTables,
      List<TableShape> shapes,
      StoreSnapshot snapshot) {
    this.transactionId = transactionId;
    this.baseSnapshot = baseSnapshot;
    this.droppedTables = droppedTables;
    this.newTables = newTables;
    this.shapes = shapes;
    this.snapshot = snapshot;
  }

  /**
   * Returns the changes of a cargo of any base from {@code before} to {@code after}.
   *
   * @param touched the rows by table
   */
  static AppliedChanges of(
      ChangeCargo cargo,
      Map<String, TableFootprint> touched,
      StoreSnapshot before,
      StoreSnapshot after) {
    List<TableShape> shapes = new ArrayList<>();
    for (TableChanges changes : cargo.tables()) {
      TableFootprint footprint = touched.get(changes.table());
      shapes.add(shapeOf(changes, footprint, before.table(changes.table())));
    }
    List<String> added = cargo.newTables().stream().map(TableSchema::name).toList();
    return new AppliedChanges(
        cargo.transactionId(), cargo.baseSnapshot(), cargo.droppedTables(), added, shapes, after);
  }

  private static TableShape shapeOf(
      TableChanges changes, TableFootprint touched, StoredTable before) {
    List<ColumnSchema> columns = before.schema().columns();
    Map<String, RowSet> rows = new HashMap<>();
    for (int column = 0; column < columns.size(); column++) {
      rows.put(columns.get(column).name(), touched.updated().get(column));
    }
    List<UpdatedCells> updates = new ArrayList<>();
    for (ColumnUpdates update : changes.updates()) {
      String column = update.column();
      updates.add(
          new UpdatedCells(column, rows.getOrDefault(column, RowSet.EMPTY), update.rowIds()));
    }
    RowBits deletes = changes.deletedRows();
    return new TableShape(
        changes.table(),
        before.rowCount(),
        before.deleted(),
        changes.insertedColumns().stream().map(InsertedColumn::column).toList(),
        updates,
        deletes == null ? NO_DELETES : deletes.size(),
        deletes == null ? null : common(deletes, before.deleted()),
        false);
  }

  /** Returns the changes of all cargoes of one transaction from {@code before} to {@code after}. */
  static AppliedChanges of(
      UUID transactionId,
      long baseSnapshot,
      Collection<String> droppedTables,
      Collection<String> newTables,
      Map<String, TableTotal> tables,
      StoreSnapshot before,
      StoreSnapshot after) {
    List<TableShape> shapes = new ArrayList<>();
    tables.forEach((name, total) -> shapes.add(shapeOf(total, before.table(name))));
    return new AppliedChanges(
        transactionId,
        baseSnapshot,
        List.copyOf(droppedTables),
        List.copyOf(newTables),
        shapes,
        after);
  }

  private static TableShape shapeOf(TableTotal total, StoredTable before) {
    List<ColumnSchema> columns = before.schema().columns();
    List<UpdatedCells> updates = new ArrayList<>();
    for (int column = 0; column < columns.size(); column++) {
      RowSet rows = total.touched().updated().get(column);
      if (!rows.isEmpty()) {
        updates.add(new UpdatedCells(columns.get(column).name(), rows, null));
      }
    }
    long bits = total.deletedBits();
    return new TableShape(
        before.schema().name(),
        before.rowCount(),
        before.deleted(),
        total.inserts() ? columns.stream().map(ColumnSchema::name).toList() : List.of(),
        updates,
        bits,
        bits == NO_DELETES ? null : common(total.touched().deleted().bits(bits), before.deleted()),
        true);
  }

  /** The deleted rows of the cargo that another transaction has deleted before. */
  private static @Nullable RowBits common(RowBits deletes, DeletedRows before) {
    if (before.count() == 0) {
      return null;
    }
    RowBits common = new RowBits(deletes.size());
    boolean any = false;
    for (long w = deletes.nextSetWord(0); w < deletes.wordCount(); w = deletes.nextSetWord(w + 1)) {
      long word = deletes.word(w) & before.word(w);
      if (word != 0) {
        common.setWord(w, word);
        any = true;
      }
    }
    return any ? common : null;
  }

  /** Returns the same changes for a transaction that has no others. */
  AppliedChanges as(UUID transaction) {
    return new AppliedChanges(
        transaction, baseSnapshot, droppedTables, newTables, shapes, snapshot);
  }

  /** Returns the same changes, read from another snapshot. */
  AppliedChanges in(StoreSnapshot other) {
    return new AppliedChanges(transactionId, baseSnapshot, droppedTables, newTables, shapes, other);
  }

  /** The transaction that was applied. */
  public UUID transactionId() {
    return transactionId;
  }

  /** The timestamp of the snapshot that the commit created. */
  public long timestamp() {
    return snapshot.timestamp();
  }

  /**
   * The names of the tables that the transaction dropped, as far as they are not in memory any
   * more. Includes tables that it has made again.
   */
  public List<String> droppedTables() {
    return droppedTables.stream().filter(this::isDropped).toList();
  }

  private boolean isDropped(String table) {
    StoredTable found = snapshot.find(table);
    return found == null || found.made() == snapshot.timestamp();
  }

  /**
   * The tables that the transaction added, as they are in memory. Includes tables that existed
   * before with the same columns.
   */
  public List<TableSchema> newTables() {
    return newTables.stream().map(table -> snapshot.table(table).schema()).toList();
  }

  /** The number of changes in each table. */
  public List<ChangedRows> rows() {
    return shapes.stream().map(this::rowsOf).toList();
  }

  private ChangedRows rowsOf(TableShape shape) {
    StoredTable after = snapshot.table(shape.table);
    return new ChangedRows(
        shape.table,
        after.rowCount() - shape.rowsBefore,
        shape.updates.stream().mapToLong(cells -> cells.rows.count()).sum(),
        after.deleted().count() - shape.deletedBefore.count());
  }

  /** The tables whose rows the transaction names. */
  public List<String> tables() {
    return shapes.stream().map(shape -> shape.table).toList();
  }

  /**
   * Walks over the rows of a table that the transaction updates.
   *
   * @param table one of {@link #tables}
   */
  public UpdatedRows updatedRows(String table) {
    List<UpdatedCells> cells = new ArrayList<>();
    for (TableShape shape : shapes) {
      if (shape.table.equals(table)) {
        cells.addAll(shape.updates);
      }
    }
    return new UpdatedRows(cells);
  }

  /**
   * Computes the digest of {@link #readBack()}, to compare with the cargo's. Uses the common pool.
   *
   * @throws IllegalStateException if the inserted rows are not where the commit put them
   */
  public long digest() {
    return CargoDigest.of(readBack());
  }

  /**
   * Computes the {@link AppliedDigest} of {@link #readBack()}, which the log holds and every node
   * compares. Uses the common pool.
   *
   * @throws IllegalStateException if the inserted rows are not where the commit put them
   */
  public long appliedDigest() {
    return AppliedDigest.of(readBack());
  }

  /**
   * Computes the {@link AppliedDigest}, after it has compared the digest with that of the cargo.
   *
   * @throws IllegalStateException if the store has other contents; names the digests
   */
  public long appliedDigest(ChangeCargo received) {
    return AppliedDigest.ofSame(readBack(), received);
  }

  /**
   * Returns the changes as a cargo, which needs almost no memory. Inserted columns share the pages
   * of the store, and must not be changed. Updated values, and row ids that the cargo does not
   * hold, are made page by page on demand.
   *
   * @throws IllegalStateException if the inserted rows are not where the commit put them
   */
  public ChangeCargo readBack() {
    ChangeCargo.Builder cargo = ChangeCargo.builder(transactionId, baseSnapshot);
    droppedTables().forEach(cargo::dropTable);
    newTables().forEach(cargo::newTable);
    for (TableShape shape : shapes) {
      StoredTable table = snapshot.table(shape.table);
      cargo.table(shape.table, changes -> readBack(shape, table, changes));
    }
    return cargo.build();
  }

  private static void readBack(
      TableShape shape, StoredTable table, ChangeCargo.TableChangesBuilder changes) {
    for (String column : shape.insertedColumns) {
      StoredColumn stored = table.column(column);
      changes.insert(
          column,
          shape.several
              ? stored.rowsFrom(shape.rowsBefore)
              : stored.insertedFrom(shape.rowsBefore));
    }
    for (UpdatedCells cells : shape.updates) {
      ColumnValues rowIds = cells.rowIds();
      ColumnValues values = new CellReader(table.column(cells.column)).readOnDemand(rowIds);
      changes.update(cells.column, rowIds, values);
    }
    RowBits deletes = newlyDeleted(shape, table);
    if (deletes != null) {
      changes.delete(deletes);
    }
  }

  /** The newly deleted rows, in as many bits as in the cargo, or more if another row is deleted. */
  private static @Nullable RowBits newlyDeleted(TableShape shape, StoredTable table) {
    long found = table.deleted().count() - shape.deletedBefore.count();
    if (shape.deletedBits == NO_DELETES && found == 0) {
      return null;
    }
    RowBits deletes = table.deleted().minus(shape.deletedBefore, Math.max(0, shape.deletedBits));
    if (deletes.cardinality() != found) {
      return table.deleted().minus(shape.deletedBefore, table.rowCount());
    }
    RowBits twice = shape.deletedTwice;
    if (twice != null) {
      for (long w = twice.nextSetWord(0); w < twice.wordCount(); w = twice.nextSetWord(w + 1)) {
        deletes.setWord(w, deletes.word(w) | twice.word(w));
      }
    }
    return deletes;
  }
}
