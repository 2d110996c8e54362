package io.drayage.transactor;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a snapshot as one cargo, and back: as if a transaction had inserted every row into
 * empty tables, deleted ones included, so that rows keep their numbers, and then deleted those that
 * are deleted.
 */
public final class FullContents {
  private static final UUID NO_TRANSACTION = new UUID(0, 0);

  private FullContents() {}

  /**
   * A snapshot as a cargo. Nothing is copied now: a column in one piece shares its pages, one in
   * many is read when its pages are asked for.
   */
  public static ChangeCargo toCargo(StoreSnapshot snapshot) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(NO_TRANSACTION, snapshot.timestamp());
    for (StoredTable table : snapshot.tables()) {
      cargo.table(table.schema().name(), changes -> addRows(table, changes));
    }
    return cargo.build();
  }

  private static void addRows(StoredTable table, ChangeCargo.TableBuilder changes) {
    for (StoredColumn column : table.columns()) {
      changes.insert(column.schema().name(), WholeColumn.of(column));
    }
    if (table.deleted().count() > 0) {
      changes.delete(table.deleted().minus(DeletedRows.NONE, table.rowCount()));
    }
  }

  /**
   * The snapshot that such a cargo holds.
   *
   * @param schemas of all tables
   * @throws IllegalArgumentException if the cargo does not hold these tables, whole and nothing
   *     else, naming what is wrong
   */
  public static StoreSnapshot toSnapshot(
      long timestamp, List<TableSchema> schemas, ChangeCargo contents) {
    Map<String, TableChanges> byName = new HashMap<>();
    contents.tables().forEach(table -> byName.put(table.table(), table));
    SnapshotBuilder snapshot = new SnapshotBuilder(timestamp);
    for (TableSchema schema : schemas) {
      TableChanges rows = byName.remove(schema.name());
      if (rows == null) {
        throw new IllegalArgumentException("table '%s' is missing".formatted(schema.name()));
      }
      snapshot.table(schema, columns(schema, rows), rows.deletedRows());
    }
    if (!byName.isEmpty()) {
      throw new IllegalArgumentException("unknown tables: " + byName.keySet());
    }
    return snapshot.build();
  }

  private static List<ColumnValues> columns(TableSchema schema, TableChanges rows) {
    Map<String, ColumnValues> byName = new HashMap<>();
    for (InsertedColumn inserted : rows.insertedColumns()) {
      byName.put(inserted.column(), inserted.values());
    }
    List<ColumnValues> columns = new ArrayList<>();
    for (ColumnSchema column : schema.columns()) {
      ColumnValues values = byName.get(column.name());
      if (values == null || !rows.updates().isEmpty()) {
        throw new IllegalArgumentException(
            "table '%s' is not whole: column '%s'".formatted(schema.name(), column.name()));
      }
      columns.add(values);
    }
    return columns;
  }

  /** A stored column in one piece. */
  private static final class WholeColumn {
    private final StoredColumn column;

    private WholeColumn(StoredColumn column) {
      this.column = column;
    }

    static ColumnValues of(StoredColumn column) {
      ColumnType type = column.schema().type();
      if (column.rowCount() == 0) {
        return ColumnValues.allocate(type, 0, false);
      }
      if (column.extentCount() == 1 && column.extent(0).isAsInserted()) {
        return column.extent(0).asInserted();
      }
      WholeColumn whole = new WholeColumn(column);
      return ColumnValues.onDemand(
          type,
          column.rowCount(),
          ColumnValues.DEFAULT_ROWS_PER_PAGE,
          whole::page,
          type.isFixedWidth() ? whole.validity() : null);
    }

    private Object page(int page) {
      long row = (long) page * ColumnValues.DEFAULT_ROWS_PER_PAGE;
      int rows = (int) Math.min(ColumnValues.DEFAULT_ROWS_PER_PAGE, column.rowCount() - row);
      Object made = Pages.ofDefaults(column.schema().type(), rows);
      PageCursor cursor = new PageCursor(column);
      int filled = 0;
      while (filled < rows) {
        cursor.seek(row + filled);
        int offset = (int) (row + filled - cursor.firstRow());
        Extent extent = column.extent(cursor.extentIndex());
        int count = Math.min(rows - filled, extent.rowsInPage(cursor.page()) - offset);
        Object stored = extent.page(cursor.page());
        if (stored != null) {
          // Typed by the column: both are arrays of its type.
          System.arraycopy(stored, offset, made, filled, count);
        }
        filled += count;
      }
      return made;
    }

    private @Nullable RowBits validity() {
      RowBits bits = RowBits.allSet(column.rowCount());
      boolean anyNull = false;
      for (int e = 0; e < column.extentCount(); e++) {
        Extent extent = column.extent(e);
        for (int p = 0; p < extent.pageCount(); p++) {
          anyNull |= extent.hasValidity(p) && clearNulls(extent, p, bits);
        }
      }
      return anyNull ? bits : null;
    }

    private static boolean clearNulls(Extent extent, int page, RowBits bits) {
      boolean any = false;
      long firstRow = extent.firstRowOf(page);
      for (int i = 0; i < extent.rowsInPage(page); i++) {
        if (extent.isNull(page, i)) {
          bits.clear(firstRow + i);
          any = true;
        }
      }
      return any;
    }
  }
}
