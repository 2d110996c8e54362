package io.drayage.store;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes to a snapshot, private to the transaction until its cargo is committed. The snapshot
 * itself never changes. Not thread-safe.
 *
 * <p>Rows are identified by their numbers, which never change. An inserted row has a provisional
 * number, which changes if others insert rows into the table before the commit. Values are passed
 * boxed, or as whole columns. A column is adopted without a copy if nothing else has changed.
 *
 * <p>Tables that the transaction creates are part of it, and have only the rows that it inserts. It
 * may drop a table of the snapshot before it changes it, and then create it with any columns.
 *
 * <p>An invalid change has no effect and throws an {@link IllegalArgumentException} that names
 * table and column: an unknown table or column, a value of another type, a null in a non-null
 * column, a deleted row. For a row that does not exist it throws an {@link
 * IndexOutOfBoundsException}.
 */
public final class Transaction {
  private final UUID id;
  private final StoreSnapshot snapshot;
  private final Set<String> droppedTables = new LinkedHashSet<>();
  private final List<TableSchema> newTables = new ArrayList<>();
  private final List<String> mustBeNew = new ArrayList<>();
  private final Map<String, TableEdits> tables = new LinkedHashMap<>();
  private @Nullable ChangeCargo cargo;

  private Transaction(UUID id, StoreSnapshot snapshot) {
    this.id = id;
    this.snapshot = snapshot;
  }

  /** A transaction with a new id. */
  public static Transaction on(StoreSnapshot snapshot) {
    return on(snapshot, UUID.randomUUID());
  }

  /**
   * A transaction with a given id.
   *
   * @param id identifies the transaction for ever; must not be used for different changes
   */
  public static Transaction on(StoreSnapshot snapshot, UUID id) {
    return new Transaction(id, snapshot);
  }

  /** The id, which identifies the transaction when it is sent again. */
  public UUID id() {
    return id;
  }

  /** The base snapshot. */
  public StoreSnapshot snapshot() {
    return snapshot;
  }

  /**
   * Adds a table to the database, unless the snapshot has it with the same columns. Rows can be
   * inserted into it at once. If another transaction adds it first, that is no conflict; if with
   * other columns, the commit is {@code REJECTED}. Use {@link #createNewTable} if the table must be
   * new.
   *
   * @throws IllegalArgumentException if the snapshot or this transaction has a table of that name
   *     with other columns; names the table and the difference
   */
  public void createTable(TableSchema table) {
    requireOpen();
    TableEdits known = tables.get(table.name());
    StoredTable stored = find(table.name());
    TableSchema found = stored == null ? null : stored.schema();
    found = known == null ? found : known.schema();
    if (found == null) {
      newTables.add(table);
      tables.put(table.name(), new TableEdits(StoredTable.ofDefaults(table, 0)));
      return;
    }
    String difference = found.difference(table);
    if (difference != null) {
      throw new IllegalArgumentException(
          "table '%s' exists with other columns: %s".formatted(table.name(), difference));
    }
  }

  /**
   * Adds a table to the database, which must not have a table of that name. If another transaction
   * adds one first, with any columns, the commit is a {@code CONFLICT} that names it. Rows can be
   * inserted into the table at once.
   *
   * @throws IllegalArgumentException if the snapshot or this transaction has a table of that name;
   *     names it
   */
  public void createNewTable(TableSchema table) {
    requireOpen();
    String name = table.name();
    if (find(name) != null || tables.containsKey(name)) {
      throw new IllegalArgumentException("table '%s' must be new, and exists".formatted(name));
    }
    createTable(table);
    mustBeNew.add(name);
  }

  /**
   * Drops a table from the database, with the types of its columns. If others change the table
   * first, the commit is a {@code CONFLICT} that names it. So are the commits of others that change
   * the table on a snapshot that has it. {@link #createTable} may then add a table of that name,
   * which is another one.
   *
   * @throws IllegalArgumentException if the snapshot has no table of that name, if this transaction
   *     has changed it already, or if it is the {@link TypesTable}; names it
   */
  public void dropTable(String table) {
    requireOpen();
    if (snapshot.table(table).schema().equals(TypesTable.SCHEMA)) {
      throw new IllegalArgumentException(
          "table '%s' cannot be dropped: it says what columns are".formatted(table));
    }
    TableEdits edits = tables.get(table);
    if ((edits != null && !edits.isEmpty()) || !droppedTables.add(table)) {
      throw new IllegalArgumentException(
          "table '%s' cannot be dropped: the transaction has changed it".formatted(table));
    }
    tables.remove(table);
    RowBits types = snapshot.typesOf(Set.of(table));
    for (long row = 0; types != null && row < types.size(); row++) {
      if (types.get(row)) {
        delete(TypesTable.NAME, row);
      }
    }
  }

  /** The number of rows of a table as the transaction sees it, including deleted ones. */
  public long rowCount(String table) {
    TableEdits edits = tables.get(table);
    return edits == null ? table(table).rowCount() : edits.rowCount();
  }

  /** Whether a row is deleted, as the transaction sees it. */
  public boolean isDeleted(String table, long row) {
    TableEdits edits = tables.get(table);
    return edits == null ? table(table).isDeleted(row) : edits.isDeleted(row);
  }

  /** The boxed value of a cell of a live row as the transaction sees it, or null. */
  public @Nullable Object get(String table, String column, long row) {
    return edits(table).get(column, row);
  }

  /**
   * Inserts a row.
   *
   * @param values a value for each column; nullable columns may be omitted
   * @return the row's number within this transaction
   */
  public long insert(String table, Map<String, ? extends @Nullable Object> values) {
    return changed(table).insert(values);
  }

  /**
   * Inserts rows by column.
   *
   * @param columns every column of the table, each with the same number of values; must not be
   *     changed afterwards
   * @return the number of the first row within this transaction
   */
  public long insertRows(String table, Map<String, ColumnValues> columns) {
    return changed(table).insertAll(columns);
  }

  /** Changes a cell of a live row. */
  public void update(String table, String column, long row, @Nullable Object value) {
    changed(table).update(column, row, value);
  }

  /**
   * Changes cells of live rows.
   *
   * @param rowIds the rows, preferably ascending; if a row appears twice, the last value counts
   * @param values a value for each row. Neither column may be changed afterwards
   */
  public void updateRows(String table, String column, ColumnValues rowIds, ColumnValues values) {
    changed(table).updateAll(column, rowIds, values);
  }

  /** Deletes a live row. */
  public void delete(String table, long row) {
    changed(table).delete(row);
  }

  private TableEdits changed(String table) {
    requireOpen();
    return edits(table);
  }

  private void requireOpen() {
    if (cargo != null) {
      throw new IllegalStateException(
          "transaction %s has been turned into a cargo already".formatted(id));
    }
  }

  /** The table of the snapshot, unless it is dropped; null if there is none. */
  private @Nullable StoredTable find(String table) {
    return droppedTables.contains(table) ? null : snapshot.find(table);
  }

  private StoredTable table(String table) {
    if (droppedTables.contains(table)) {
      throw new IllegalArgumentException("table '%s' is dropped".formatted(table));
    }
    return snapshot.table(table);
  }

  private TableEdits edits(String table) {
    TableEdits edits = tables.get(table);
    if (edits == null) {
      edits = new TableEdits(table(table));
      tables.put(table, edits);
    }
    return edits;
  }

  /**
   * The changes as a cargo; the same one at each call. Nothing can be changed afterwards. Without
   * changes, the cargo has no tables.
   */
  public ChangeCargo toCargo() {
    ChangeCargo made = cargo;
    if (made == null) {
      ChangeCargo.Builder builder = ChangeCargo.builder(id, snapshot.timestamp());
      droppedTables.forEach(builder::dropTable);
      newTables.forEach(builder::newTable);
      mustBeNew.forEach(builder::mustBeNew);
      tables.forEach(
          (name, edits) -> {
            if (!edits.isEmpty()) {
              builder.table(name, edits::addTo);
            }
          });
      made = builder.build();
      cargo = made;
    }
    return made;
  }
}
