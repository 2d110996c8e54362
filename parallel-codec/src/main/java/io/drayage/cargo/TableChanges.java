package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.Serial;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one transaction to one table: rows inserted, rows deleted, cells updated. Made by
 * {@link ChangeCargo.Builder}.
 */
public final class TableChanges implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final String table;
  private final InsertedColumn[] insertedColumns;
  private final @Nullable RowBits deletedRows;
  private final ColumnUpdates[] updates;

  TableChanges(
      String table,
      List<InsertedColumn> insertedColumns,
      @Nullable RowBits deletedRows,
      List<ColumnUpdates> updates) {
    Names.check("table", table);
    this.table = table;
    this.insertedColumns = insertedColumns.toArray(InsertedColumn[]::new);
    this.deletedRows = deletedRows;
    this.updates = updates.toArray(ColumnUpdates[]::new);
    checkInserts();
    checkUpdates();
  }

  private void checkInserts() {
    Set<String> seen = new HashSet<>();
    for (InsertedColumn inserted : insertedColumns) {
      if (!seen.add(inserted.column())) {
        throw new IllegalArgumentException(
            "column '%s' of table '%s' is inserted twice".formatted(inserted.column(), table));
      }
      long rows = inserted.values().rowCount();
      long expected = insertedRowCount();
      if (rows != expected) {
        throw new IllegalArgumentException(
            format(
                "column '%s' of table '%s' inserts %,d rows, but column '%s' %,d",
                inserted.column(), table, rows, insertedColumns[0].column(), expected));
      }
    }
  }

  private void checkUpdates() {
    Set<String> seen = new HashSet<>();
    for (ColumnUpdates update : updates) {
      if (!seen.add(update.column())) {
        throw new IllegalArgumentException(
            "column '%s' of table '%s' is updated twice".formatted(update.column(), table));
      }
    }
  }

  /** The table's name. */
  public String table() {
    return table;
  }

  /** The inserted rows, by column; empty if there are none. */
  public List<InsertedColumn> insertedColumns() {
    return List.of(insertedColumns);
  }

  /** Number of inserted rows. */
  public long insertedRowCount() {
    return insertedColumns.length == 0 ? 0 : insertedColumns[0].values().rowCount();
  }

  /** A bit for each row of the table as it was, set if the row is deleted; null if none is. */
  public @Nullable RowBits deletedRows() {
    return deletedRows;
  }

  /** The updated cells, by column. */
  public List<ColumnUpdates> updates() {
    return List.of(updates);
  }

  @Override
  public String toString() {
    return format(
        "TableChanges[%s, %,d rows inserted, %,d deleted, %d columns updated]",
        table,
        insertedRowCount(),
        deletedRows == null ? 0 : deletedRows.cardinality(),
        updates.length);
  }

  /** Checks the changes from an object stream as strictly as those from a user. */
  @Serial
  private Object readResolve() {
    return new TableChanges(table, insertedColumns(), deletedRows, updates());
  }
}
