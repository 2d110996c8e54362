package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TextPage;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Pages;
import io.drayage.store.column.StoredTable;
import io.drayage.store.column.ValueCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's changes to one table, and the table as the transaction sees it. Rows of the
 * snapshot keep their numbers; inserted rows are numbered after them. Not thread-safe.
 */
final class TableEdits {
  private final StoredTable base;
  private final TableSchema schema;
  private final InsertedRows inserted;

  /** The updates by column; null for columns without updates. */
  private final @Nullable CellEdits[] updates;

  private @Nullable RowBits deleted;

  public TableEdits(StoredTable base) {
    this.base = base;
    this.schema = base.schema();
    this.inserted = new InsertedRows(schema);
    this.updates = new CellEdits[schema.columns().size()];
  }

  public TableSchema schema() {
    return schema;
  }

  public long rowCount() {
    return base.rowCount() + inserted.rowCount();
  }

  public boolean isDeleted(long row) {
    if (row < 0 || row >= rowCount()) {
      throw new IndexOutOfBoundsException(
          format("row %,d is outside the %,d rows of table '%s'", row, rowCount(), schema.name()));
    }
    if (row >= base.rowCount()) {
      return inserted.isDeleted(row - base.rowCount());
    }
    return base.isDeleted(row) || (deleted != null && deleted.get(row));
  }

  public @Nullable Object get(String column, long row) {
    int index = indexOf(column);
    if (isDeleted(row)) {
      throw new IllegalArgumentException(
          format("row %,d of table '%s' is deleted", row, schema.name()));
    }
    if (row >= base.rowCount()) {
      return inserted.get(index, row - base.rowCount());
    }
    CellEdits edits = updates[index];
    return edits != null && edits.contains(row)
        ? edits.get(row)
        : base.columns().get(index).get(row);
  }

  public long insert(Map<String, ? extends @Nullable Object> row) {
    List<@Nullable Object> values = new ArrayList<>();
    for (ColumnSchema column : schema.columns()) {
      values.add(checked(column, rowCount(), row.get(column.name())));
    }
    for (String column : row.keySet()) {
      indexOf(column);
    }
    inserted.add(values);
    return rowCount() - 1;
  }

  public long insertAll(Map<String, ColumnValues> rows) {
    List<ColumnValues> values = new ArrayList<>();
    for (ColumnSchema column : schema.columns()) {
      ColumnValues given = rows.get(column.name());
      if (given == null) {
        throw new IllegalArgumentException(
            "the rows inserted into table '%s' lack column '%s'"
                .formatted(schema.name(), column.name()));
      }
      requireFit(column, given);
      if (given.rowCount() != rows.get(schema.columns().get(0).name()).rowCount()) {
        throw new IllegalArgumentException(
            format(
                "column '%s' of table '%s' differs from the first column in its number of rows: %,d",
                column.name(), schema.name(), given.rowCount()));
      }
      values.add(given);
    }
    for (String column : rows.keySet()) {
      indexOf(column);
    }
    long firstRow = rowCount();
    inserted.addAll(values);
    return firstRow;
  }

  public void update(String column, long row, @Nullable Object value) {
    int index = indexOf(column);
    requireLive(row);
    Object fitting = checked(schema.columns().get(index), row, value);
    if (row >= base.rowCount()) {
      inserted.set(index, row - base.rowCount(), fitting);
    } else {
      edits(index).set(row, fitting);
    }
  }

  public void updateAll(String column, ColumnValues rowIds, ColumnValues values) {
    int index = indexOf(column);
    requireFit(schema.columns().get(index), values);
    ColumnUpdates checked = new ColumnUpdates(column, rowIds, values);
    boolean inBase = true;
    for (int p = 0; p < rowIds.pageCount(); p++) {
      long[] page = (long[]) rowIds.page(p);
      for (int i = 0; i < rowIds.rowsInPage(p); i++) {
        requireLive(page[i]);
        inBase &= page[i] < base.rowCount();
      }
    }
    if (inBase) {
      edits(index).setAll(checked.rowIds(), checked.values());
      return;
    }
    for (long i = 0; i < rowIds.rowCount(); i++) {
      update(column, ((long[]) rowIds.page(rowIds.pageOf(i)))[rowIds.offsetOf(i)], values.get(i));
    }
  }

  public void delete(long row) {
    requireLive(row);
    if (row >= base.rowCount()) {
      inserted.delete(row - base.rowCount());
      return;
    }
    RowBits bits = deleted;
    if (bits == null) {
      bits = new RowBits(base.rowCount());
      deleted = bits;
    }
    bits.set(row);
  }

  private CellEdits edits(int column) {
    CellEdits edits = updates[column];
    if (edits == null) {
      edits = new CellEdits(schema.columns().get(column));
      updates[column] = edits;
    }
    return edits;
  }

  private void requireLive(long row) {
    if (isDeleted(row)) {
      throw new IllegalArgumentException(
          format("row %,d of table '%s' is deleted", row, schema.name()));
    }
  }

  private int indexOf(String column) {
    int index = schema.indexOf(column);
    if (index < 0) {
      throw new IllegalArgumentException(
          "table '%s' has no column '%s'".formatted(schema.name(), column));
    }
    return index;
  }

  private @Nullable Object checked(ColumnSchema column, long row, @Nullable Object value) {
    if (value == null && !column.nullable()) {
      throw new IllegalArgumentException(
          "column '%s' of table '%s' must not be null".formatted(column.name(), schema.name()));
    }
    if (value != null && value.getClass() != Pages.defaultValue(column.type()).getClass()) {
      throw new IllegalArgumentException(
          "column '%s' of table '%s' holds %s, not %s"
              .formatted(
                  column.name(), schema.name(), column.type(), value.getClass().getSimpleName()));
    }
    if (value instanceof String text) {
      requireText(column, row, text);
    }
    return value;
  }

  private void requireText(ColumnSchema column, long row, String text) {
    try {
      TextPage unused = TextPage.of(text);
    } catch (IllegalTextException e) {
      throw e.in("column '%s' of table '%s'".formatted(column.name(), schema.name()), row);
    }
  }

  private void requireFit(ColumnSchema column, ColumnValues values) {
    try {
      ValueCheck.checkType(schema, column.name(), values);
    } catch (ShipmentException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (!column.nullable() && ValueCheck.firstNull(values) >= 0) {
      throw new IllegalArgumentException(
          format(
              "column '%s' of table '%s' must not be null, but value %,d is",
              column.name(), schema.name(), ValueCheck.firstNull(values)));
    }
  }

  public boolean isEmpty() {
    for (CellEdits edits : updates) {
      if (edits != null) {
        return false;
      }
    }
    return inserted.rowCount() == 0 && deleted == null;
  }

  public void addTo(ChangeCargo.TableChangesBuilder changes) {
    List<ColumnValues> rows = inserted.toColumns();
    if (rows.get(0).rowCount() > 0) {
      for (int c = 0; c < rows.size(); c++) {
        changes.insert(schema.columns().get(c).name(), rows.get(c));
      }
    }
    for (CellEdits edits : updates) {
      if (edits != null) {
        ColumnUpdates all = edits.toUpdates();
        changes.update(all.column(), all.rowIds(), all.values());
      }
    }
    if (deleted != null) {
      changes.delete(deleted);
    }
  }
}
