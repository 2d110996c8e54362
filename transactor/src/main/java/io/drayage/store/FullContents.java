package io.drayage.store;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.ColumnSchema;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.Extent;
import io.drayage.store.column.RowRange;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import io.drayage.store.column.TableSchema;
import io.drayage.store.column.WrittenPages;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Predicate;

/**
 * Converts a whole snapshot to a cargo and back: the changes that lead from tables of default
 * values to the snapshot. Default rows that were never written take no space; pages of them that
 * were written are updates. All other rows are inserted, including deleted ones, so that rows keep
 * their numbers. The first table, {@value #SCHEMA}, has a row for each column of each table.
 */
public final class FullContents {
  /** The table of schemas. */
  static final String SCHEMA = ".schema";

  private static final UUID NO_TRANSACTION = new UUID(0, 0);
  private static final int SCHEMA_COLUMNS = 5;

  private record NewTable(List<ColumnSchema> columns, long defaultRows) {}

  private FullContents() {}

  /**
   * A snapshot as a cargo. Rows of more than one extent are copied when their pages are requested.
   */
  public static ChangeCargo toCargo(StoreSnapshot snapshot) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(NO_TRANSACTION, snapshot.timestamp());
    cargo.table(SCHEMA, changes -> addSchemas(snapshot, changes));
    for (StoredTable table : snapshot.tables()) {
      cargo.table(table.schema().name(), changes -> addRows(table, changes));
    }
    return cargo.build();
  }

  private static void addSchemas(StoreSnapshot snapshot, ChangeCargo.TableChangesBuilder changes) {
    ColumnBuilder tables = new ColumnBuilder(ColumnType.STRING);
    ColumnBuilder columns = new ColumnBuilder(ColumnType.STRING);
    ColumnBuilder types = new ColumnBuilder(ColumnType.BYTE);
    ColumnBuilder nullable = new ColumnBuilder(ColumnType.BOOLEAN);
    ColumnBuilder defaultRows = new ColumnBuilder(ColumnType.LONG);
    for (StoredTable table : snapshot.tables()) {
      for (ColumnSchema column : table.schema().columns()) {
        tables.addString(table.schema().name());
        columns.addString(column.name());
        types.addByte((byte) column.type().id());
        nullable.addBoolean(column.nullable());
        defaultRows.addLong(defaultRows(table));
      }
    }
    changes
        .insert("table", tables.build())
        .insert("column", columns.build())
        .insert("type", types.build())
        .insert("nullable", nullable.build())
        .insert("default rows", defaultRows.build());
  }

  /** The table's initial rows, if some of their pages were never written. */
  private static long defaultRows(StoredTable table) {
    long rows = 0;
    for (StoredColumn column : table.columns()) {
      if (column.extentCount() > 0 && column.extent(0).isSparse()) {
        rows = column.extent(0).endRow();
      }
    }
    return rows;
  }

  private static void addRows(StoredTable table, ChangeCargo.TableChangesBuilder changes) {
    long defaultRows = defaultRows(table);
    for (StoredColumn column : table.columns()) {
      if (defaultRows > 0) {
        WrittenPages written = new WrittenPages(column.extent(0), defaultRows);
        if (written.rowCount() > 0) {
          changes.update(column.schema().name(), written.rowIds(), written.values());
        }
      }
      if (defaultRows < table.rowCount()) {
        changes.insert(column.schema().name(), from(column, defaultRows));
      }
    }
    if (table.deleted().count() > 0) {
      changes.delete(table.deleted().minus(DeletedRows.NONE, table.rowCount()));
    }
  }

  private static ColumnValues from(StoredColumn column, long firstRow) {
    Extent last = column.extent(column.extentCount() - 1);
    return last.firstRow() == firstRow && last.isAsInserted()
        ? last.asInserted()
        : new RowRange(column, firstRow, column.rowCount() - firstRow).onDemand();
  }

  /**
   * The snapshot in such a cargo.
   *
   * @throws IllegalArgumentException if the cargo does not begin with the schemas
   * @throws ShipmentException {@code REJECTED} if its tables do not match the schemas
   */
  public static StoreSnapshot toSnapshot(long timestamp, ChangeCargo contents)
      throws ShipmentException {
    // Two commits: only existing rows can be deleted.
    MemoryStore store =
        new MemoryStore(
            timestamp - 2, ForkJoinPool.commonPool(), Runtime.getRuntime().availableProcessors());
    schemas(contents)
        .forEach(
            (name, table) ->
                store.createTable(new TableSchema(name, table.columns), table.defaultRows));
    store.replay(rows(contents, timestamp - 2), timestamp - 1);
    store.replay(deletes(contents, timestamp - 1), timestamp);
    return store.snapshot();
  }

  private static Map<String, NewTable> schemas(ChangeCargo contents) {
    List<TableChanges> tables = contents.tables();
    if (tables.isEmpty()
        || !tables.get(0).table().equals(SCHEMA)
        || tables.get(0).insertedColumns().size() != SCHEMA_COLUMNS) {
      throw new IllegalArgumentException("it has no schemas");
    }
    TableChanges schemas = tables.get(0);
    Map<String, NewTable> byName = new LinkedHashMap<>();
    for (long row = 0; row < schemas.insertedRowCount(); row++) {
      addSchema(byName, schemas.insertedColumns(), row);
    }
    return byName;
  }

  private static void addSchema(
      Map<String, NewTable> byName, List<InsertedColumn> schemas, long row) {
    if (schemas.get(0).values().get(row) instanceof String table
        && schemas.get(1).values().get(row) instanceof String column
        && schemas.get(2).values().get(row) instanceof Byte type
        && schemas.get(3).values().get(row) instanceof Boolean nullable
        && schemas.get(4).values().get(row) instanceof Long defaultRows) {
      byName
          .computeIfAbsent(table, name -> new NewTable(new ArrayList<>(), defaultRows))
          .columns
          .add(new ColumnSchema(column, ColumnType.ofId(type), nullable));
    } else {
      throw new IllegalArgumentException("row %,d of the schemas is not a schema".formatted(row));
    }
  }

  private static ChangeCargo rows(ChangeCargo contents, long base) {
    return tables(
        contents,
        base,
        new UUID(0, 1),
        table -> true,
        (table, copy) -> {
          for (InsertedColumn inserted : table.insertedColumns()) {
            copy.insert(inserted.column(), inserted.values());
          }
          for (ColumnUpdates update : table.updates()) {
            copy.update(update.column(), update.rowIds(), update.values());
          }
        });
  }

  private static ChangeCargo deletes(ChangeCargo contents, long base) {
    return tables(
        contents,
        base,
        new UUID(0, 2),
        table -> table.deletedRows() != null,
        (table, copy) -> {
          RowBits deleted = table.deletedRows();
          if (deleted != null) {
            copy.delete(deleted);
          }
        });
  }

  private interface Copy {
    void add(TableChanges table, ChangeCargo.TableChangesBuilder copy);
  }

  private static ChangeCargo tables(
      ChangeCargo contents, long base, UUID id, Predicate<TableChanges> which, Copy copying) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(id, base);
    for (TableChanges table : contents.tables()) {
      if (!table.table().equals(SCHEMA) && which.test(table)) {
        cargo.table(table.table(), copy -> copying.add(table, copy));
      }
    }
    return cargo.build();
  }
}
