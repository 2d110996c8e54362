package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.Extent;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import io.drayage.store.column.ValueCheck;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks and applies a cargo's changes to one table, which may have changed since the cargo's base
 * snapshot.
 *
 * <p>Updates and deletes refer to rows of the base snapshot. Rows keep their numbers, so these
 * references need no translation. Inserted rows are appended to the current rows. If one cargo
 * updates and deletes the same row, the row is deleted, with the new values.
 */
final class TableCommit {
  private final StoredTable table;
  private final TableSince since;
  private final TableSchema schema;
  private final TableChanges changes;

  /** The inserted values by column; empty if no rows are inserted. */
  private final List<ColumnValues> inserted;

  /** The inserted values, as they will be stored. */
  private final List<Extent> insertedExtents;

  /** The updates by column; null for columns without updates. */
  private final @Nullable UpdateCommit[] updates;

  private DeletedRows deleted;
  private RowSet deletedNow = RowSet.EMPTY;

  /** Makes the checks that read no values. */
  TableCommit(StoredTable table, TableSince since, TableChanges changes) throws ShipmentException {
    this.table = table;
    this.since = since;
    this.schema = table.schema();
    this.changes = changes;
    this.deleted = table.deleted();
    this.inserted = matchInserted();
    this.insertedExtents =
        inserted.stream().map(values -> Extent.adopt(values, table.rowCount())).toList();
    this.updates = matchUpdates();
    checkRowCounts();
  }

  private List<ColumnValues> matchInserted() throws ShipmentException {
    if (changes.insertedColumns().isEmpty()) {
      return List.of();
    }
    @Nullable ColumnValues[] byColumn = new ColumnValues[schema.columns().size()];
    for (InsertedColumn column : changes.insertedColumns()) {
      int index = ValueCheck.checkType(schema, column.column(), column.values());
      byColumn[index] = column.values();
    }
    List<ColumnValues> matched = new ArrayList<>();
    for (int i = 0; i < byColumn.length; i++) {
      ColumnValues values = byColumn[i];
      if (values == null) {
        throw Rejection.of(
            "the rows inserted into table '%s' lack column '%s'"
                .formatted(schema.name(), schema.columns().get(i).name()));
      }
      matched.add(values);
    }
    return matched;
  }

  private @Nullable UpdateCommit[] matchUpdates() throws ShipmentException {
    @Nullable UpdateCommit[] matched = new UpdateCommit[schema.columns().size()];
    for (ColumnUpdates update : changes.updates()) {
      int index = ValueCheck.checkType(schema, update.column(), update.values());
      ValueCheck.checkFilled(schema, update.column(), update.rowIds());
      matched[index] = new UpdateCommit(table, since, index, update);
    }
    return matched;
  }

  private void checkRowCounts() throws ShipmentException {
    RowBits deletes = changes.deletedRows();
    if (deletes != null && deletes.size() > since.baseRows()) {
      throw Rejection.of(
          format(
              "table '%s': %,d deleted bits exceed the table's %,d rows",
              schema.name(), deletes.size(), since.baseRows()));
    }
    if (changes.insertedRowCount() > ColumnValues.MAX_ROWS - table.rowCount()) {
      throw Rejection.of(
          format(
              "table '%s': %,d rows inserted after %,d exceed the limit of %,d",
              schema.name(), changes.insertedRowCount(), table.rowCount(), ColumnValues.MAX_ROWS));
    }
  }

  /** Adds the checks that read values. All must pass before the work begins. */
  void addChecks(List<TaskGroup.Task> checks) {
    for (int i = 0; i < inserted.size(); i++) {
      ColumnSchema column = schema.columns().get(i);
      ColumnValues values = inserted.get(i);
      if (!column.nullable()) {
        checks.add(() -> checkInsertedNulls(column, values));
      }
    }
    for (UpdateCommit update : updates) {
      if (update != null) {
        checks.add(update::check);
      }
    }
    if (changes.deletedRows() != null) {
      checks.add(this::checkDeletes);
    }
  }

  /** Adds the tasks that measure the values for {@link #growth}. */
  void addMeasuring(List<TaskGroup.Task> tasks) {
    insertedExtents.forEach(
        rows ->
            tasks.add(
                () -> {
                  long unused = rows.memoryBytes();
                }));
    for (UpdateCommit update : updates) {
      if (update != null) {
        tasks.add(update::measure);
      }
    }
  }

  /** The memory that the work will need, once the checks are done and the values are measured. */
  MemoryGrowth growth() {
    MemoryGrowth growth =
        new MemoryGrowth(insertedExtents.stream().mapToLong(Extent::memoryBytes).sum(), 0);
    for (UpdateCommit update : updates) {
      growth = update == null ? growth : growth.plus(update.growth());
    }
    return growth;
  }

  private void checkInsertedNulls(ColumnSchema column, ColumnValues values)
      throws ShipmentException {
    long firstNull = ValueCheck.firstNull(values);
    if (firstNull >= 0) {
      throw Rejection.of(
          format(
              "column '%s' of table '%s' must not be null, but inserted row %,d is",
              column.name(), schema.name(), firstNull));
    }
  }

  private void checkDeletes() throws ShipmentException {
    RowBits deletes = changes.deletedRows();
    if (deletes == null) {
      return;
    }
    if (table.deleted().count() > 0) {
      checkDeletedOnce(deletes);
    }
    deletedNow = RowSet.ofBits(deletes);
    since.checkDeletes(deletedNow);
  }

  private void checkDeletedOnce(RowBits deletes) throws ShipmentException {
    for (long w = deletes.nextSetWord(0); w < deletes.wordCount(); w = deletes.nextSetWord(w + 1)) {
      for (long twice = deletes.word(w) & table.deleted().word(w); twice != 0; twice &= twice - 1) {
        long row = (w << 6) + Long.numberOfTrailingZeros(twice);
        if (since.wasDeleted(row)) {
          throw Rejection.of(
              format(
                  "table '%s': row %,d cannot be deleted: it is deleted already",
                  schema.name(), row));
        }
      }
    }
  }

  /** Adds the tasks that apply the changes. The tasks do not write to pages of a snapshot. */
  void addWork(List<TaskGroup.Task> work) {
    for (UpdateCommit update : updates) {
      if (update != null) {
        update.addWork(work);
      }
    }
    RowBits deletes = changes.deletedRows();
    if (deletes != null) {
      work.add(() -> deleted = table.deleted().plus(deletes));
    }
  }

  /** The table with the changes, once the work is done. */
  StoredTable result() {
    List<StoredColumn> columns = new ArrayList<>();
    for (int i = 0; i < updates.length; i++) {
      UpdateCommit update = updates[i];
      StoredColumn column = update == null ? table.columns().get(i) : update.result();
      columns.add(insertedExtents.isEmpty() ? column : column.append(insertedExtents.get(i)));
    }
    return table.with(table.rowCount() + changes.insertedRowCount(), deleted, columns);
  }

  /** The touched rows, once the checks are done. */
  TableFootprint footprint() {
    List<RowSet> updated = new ArrayList<>();
    for (UpdateCommit update : updates) {
      updated.add(update == null ? RowSet.EMPTY : update.rows());
    }
    return new TableFootprint(table.rowCount(), updated, deletedNow);
  }

  String tableName() {
    return schema.name();
  }
}
