package io.drayage.store;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.store.edit.TableEdits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes on a snapshot that only their author sees, until they are turned into a cargo and that is
 * committed. The snapshot stays as it is. Not thread-safe.
 *
 * <p>Rows are named by their numbers, which they keep for ever; a row that the transaction has
 * inserted gets a number for the time being, which changes if others insert rows into the table
 * before the commit. Values go in and out boxed, or by whole columns, which are taken over without
 * a copy where nothing else was changed.
 *
 * <p>What does not fit is refused with an {@link IllegalArgumentException} that names table and
 * column, and changes nothing: an unknown table or column, a value of another type, a null where
 * none may be, a deleted row. A row that is not there is an {@link IndexOutOfBoundsException}.
 */
public final class Transaction {
  private final UUID id;
  private final StoreSnapshot snapshot;
  private final Map<String, TableEdits> tables = new LinkedHashMap<>();
  private @Nullable ChangeCargo cargo;

  private Transaction(UUID id, StoreSnapshot snapshot) {
    this.id = id;
    this.snapshot = snapshot;
  }

  /** A transaction of its own id. */
  public static Transaction on(StoreSnapshot snapshot) {
    return on(snapshot, UUID.randomUUID());
  }

  /**
   * A transaction.
   *
   * @param id names it for ever: no two transactions that change different things may have the same
   */
  public static Transaction on(StoreSnapshot snapshot, UUID id) {
    return new Transaction(id, snapshot);
  }

  public UUID id() {
    return id;
  }

  /** The snapshot on which the changes are made. */
  public StoreSnapshot snapshot() {
    return snapshot;
  }

  /** The rows of a table as the transaction sees it, deleted ones included. */
  public long rowCount(String table) {
    TableEdits edits = tables.get(table);
    return edits == null ? snapshot.table(table).rowCount() : edits.rowCount();
  }

  /** Whether a row is deleted, as the transaction sees it. */
  public boolean isDeleted(String table, long row) {
    TableEdits edits = tables.get(table);
    return edits == null ? snapshot.table(table).isDeleted(row) : edits.isDeleted(row);
  }

  /** The boxed value of a cell of a live row as the transaction sees it, or null. */
  public @Nullable Object get(String table, String column, long row) {
    return edits(table).get(column, row);
  }

  /**
   * Inserts a row.
   *
   * @param values a value for each column; a column that may be null can be left out
   * @return the row's number within this transaction
   */
  public long insert(String table, Map<String, ? extends @Nullable Object> values) {
    return changed(table).insert(values);
  }

  /**
   * Inserts rows by column.
   *
   * @param columns every column of the table, as many values in each; not to be changed any more
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
   * @param rowIds the rows, best in ascending order; if one comes twice, the last value counts
   * @param values one for each of them; neither is to be changed any more
   */
  public void updateRows(String table, String column, ColumnValues rowIds, ColumnValues values) {
    changed(table).updateAll(column, rowIds, values);
  }

  /** Deletes a live row. */
  public void delete(String table, long row) {
    changed(table).delete(row);
  }

  private TableEdits changed(String table) {
    if (cargo != null) {
      throw new IllegalStateException("transaction %s is a cargo already".formatted(id));
    }
    return edits(table);
  }

  private TableEdits edits(String table) {
    TableEdits edits = tables.get(table);
    if (edits == null) {
      edits = new TableEdits(snapshot.table(table));
      tables.put(table, edits);
    }
    return edits;
  }

  /**
   * The changes, ready to be shipped; the same cargo every time. Nothing can be changed afterwards.
   * Without changes it is a cargo without tables.
   */
  public ChangeCargo toCargo() {
    ChangeCargo made = cargo;
    if (made == null) {
      ChangeCargo.Builder builder = ChangeCargo.builder(id, snapshot.timestamp());
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
