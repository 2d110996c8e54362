package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.LivePages;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import io.drayage.store.column.TableRows;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts a whole snapshot to a cargo and back. Rows keep their numbers. Pages without a live row,
 * pages that were never written, and the values of deleted rows need no space. Loaded pages become
 * part of the snapshot as they are. The cargo has these tables:
 *
 * <ul>
 *   <li>{@value #SCHEMA} has a row for each column of each table, with the number of rows, the
 *       snapshot that made the table, and its group: columns of one table with the same stored
 *       pages; -1 if none are.
 *   <li>{@value #PAGES} has a row for each stored page of each group.
 *   <li>{@value FullBounds#BOUNDS} has the {@link FullBounds bounds} of these pages, unless an
 *       earlier version has written it.
 *   <li>{@value #VALUES}, with a group's number, has the values of these pages.
 *   <li>{@value #DELETED}, with a table's number, has its deleted rows.
 * </ul>
 */
public final class FullContents {
  /** The table of the schema. The name contains the version of the layout. */
  static final String SCHEMA = ".schema 2";

  static final String PAGES = ".pages";
  static final String VALUES = ".values ";
  static final String DELETED = ".deleted ";

  private static final UUID NO_TRANSACTION = new UUID(0, 0);
  private static final int NO_GROUP = -1;

  private FullContents() {}

  /**
   * A column of {@value #SCHEMA}.
   *
   * @param rows rows of its table, including deleted ones
   * @param made the snapshot that made its table
   */
  record Described(String table, ColumnSchema schema, long rows, int group, long made) {
    boolean isStored() {
      return group != NO_GROUP;
    }
  }

  /** Converts a snapshot to a cargo. Pages that cannot be shared are copied on demand. */
  public static ChangeCargo toCargo(StoreSnapshot snapshot) {
    return toCargo(snapshot, true);
  }

  /**
   * Converts a snapshot to a cargo.
   *
   * @param complete false for the layout of earlier versions, without bounds and without the
   *     snapshots that made the tables
   */
  public static ChangeCargo toCargo(StoreSnapshot snapshot, boolean complete) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(NO_TRANSACTION, snapshot.timestamp());
    List<Described> columns = new ArrayList<>();
    List<BitSet> pages = new ArrayList<>();
    List<Map<String, ColumnValues>> values = new ArrayList<>();
    FullBounds.Writer bounds = new FullBounds.Writer();
    for (StoredTable table : snapshot.tables()) {
      Map<BitSet, Integer> groups = new HashMap<>();
      for (StoredColumn column : table.columns()) {
        LivePages live = new LivePages(column, table.deleted());
        int group = NO_GROUP;
        if (!live.pages().isEmpty()) {
          group = groups.computeIfAbsent(live.pages(), unused -> pages.size());
          if (group == pages.size()) {
            pages.add(live.pages());
            values.add(new LinkedHashMap<>());
          }
          values.get(group).put(column.schema().name(), live.values());
          if (complete) {
            live.bounds().forEach(bounds::add);
          }
        }
        columns.add(
            new Described(
                table.schema().name(), column.schema(), table.rowCount(), group, table.made()));
      }
    }
    cargo.table(SCHEMA, changes -> addSchemas(columns, complete, changes));
    cargo.table(PAGES, changes -> addPages(pages, changes));
    bounds.addTo(cargo);
    for (int group = 0; group < values.size(); group++) {
      Map<String, ColumnValues> each = values.get(group);
      cargo.table(VALUES + group, changes -> each.forEach(changes::insert));
    }
    int number = 0;
    for (StoredTable table : snapshot.tables()) {
      addDeleted(cargo, number++, table);
    }
    return cargo.build();
  }

  private static void addSchemas(
      List<Described> columns, boolean complete, ChangeCargo.TableChangesBuilder changes) {
    ColumnBuilder tables = new ColumnBuilder(ColumnType.STRING);
    ColumnBuilder names = new ColumnBuilder(ColumnType.STRING);
    ColumnBuilder types = new ColumnBuilder(ColumnType.BYTE);
    ColumnBuilder nullable = new ColumnBuilder(ColumnType.BOOLEAN);
    ColumnBuilder rows = new ColumnBuilder(ColumnType.LONG);
    ColumnBuilder groups = new ColumnBuilder(ColumnType.INT);
    ColumnBuilder made = new ColumnBuilder(ColumnType.LONG);
    for (Described column : columns) {
      tables.addString(column.table);
      names.addString(column.schema.name());
      types.addByte((byte) column.schema.type().id());
      nullable.addBoolean(column.schema.nullable());
      rows.addLong(column.rows);
      groups.addInt(column.group);
      made.addLong(column.made);
    }
    changes
        .insert("table", tables.build())
        .insert("column", names.build())
        .insert("type", types.build())
        .insert("nullable", nullable.build())
        .insert("rows", rows.build())
        .insert("group", groups.build());
    if (complete) {
      changes.insert("made", made.build());
    }
  }

  private static void addPages(List<BitSet> pages, ChangeCargo.TableChangesBuilder changes) {
    ColumnBuilder groups = new ColumnBuilder(ColumnType.INT);
    ColumnBuilder numbers = new ColumnBuilder(ColumnType.INT);
    for (int group = 0; group < pages.size(); group++) {
      BitSet present = pages.get(group);
      for (int page = present.nextSetBit(0); page >= 0; page = present.nextSetBit(page + 1)) {
        groups.addInt(group);
        numbers.addInt(page);
      }
    }
    changes.insert("group", groups.build()).insert("page", numbers.build());
  }

  private static void addDeleted(ChangeCargo.Builder cargo, int number, StoredTable table) {
    if (table.deleted().count() > 0) {
      RowBits deleted = table.deleted().minus(DeletedRows.NONE, table.rowCount());
      cargo.table(DELETED + number, changes -> changes.delete(deleted));
    }
  }

  /**
   * Converts such a cargo to a snapshot.
   *
   * @throws IllegalArgumentException if the cargo is not valid; names the error
   */
  public static StoreSnapshot toSnapshot(long timestamp, ChangeCargo contents) {
    return toSnapshot(timestamp, contents.tables(), (table, column) -> column);
  }

  /** Whether a table of such a cargo has values or bounds, and not the description of tables. */
  public static boolean isOfValues(String table) {
    return table.startsWith(VALUES) || table.equals(FullBounds.BOUNDS);
  }

  /** Maps each table of values in such a cargo to the table whose columns it has. */
  public static Map<String, String> tablesOfValues(ChangeCargo contents) {
    Map<String, String> tables = new HashMap<>();
    columns(contents).forEach(column -> tables.put(VALUES + column.group, column.table));
    return tables;
  }

  /** The pages whose values such a cargo has, in their order, by the table of values. */
  public static Map<String, int[]> pagesOfValues(ChangeCargo contents) {
    Map<String, int[]> pages = new HashMap<>();
    pages(contents)
        .forEach((group, numbers) -> pages.put(VALUES + group, numbers.stream().toArray()));
    return pages;
  }

  /** The rows of each table in such a cargo. */
  public static Map<String, TableRows> rows(ChangeCargo contents) {
    Map<String, TableChanges> parts = byName(contents.tables());
    Map<String, Long> counts = new LinkedHashMap<>();
    columns(contents).forEach(column -> counts.put(column.table, column.rows));
    Map<String, TableRows> rows = new LinkedHashMap<>();
    counts.forEach(
        (table, count) -> {
          TableChanges deleted = parts.get(DELETED + rows.size());
          rows.put(table, new TableRows(count, deletedRows(deleted)));
        });
    return rows;
  }

  private static DeletedRows deletedRows(@Nullable TableChanges deleted) {
    RowBits bits = deleted == null ? null : deleted.deletedRows();
    return bits == null ? DeletedRows.NONE : DeletedRows.NONE.plus(bits);
  }

  /** The tables in such a cargo, by their names. */
  public static Map<String, List<ColumnSchema>> schemas(ChangeCargo contents) {
    Map<String, List<ColumnSchema>> tables = new LinkedHashMap<>();
    columns(contents)
        .forEach(
            column ->
                tables.computeIfAbsent(column.table, name -> new ArrayList<>()).add(column.schema));
    return tables;
  }

  /** The snapshot that made each table in such a cargo. */
  public static Map<String, Long> made(ChangeCargo contents) {
    Map<String, Long> made = new HashMap<>();
    columns(contents).forEach(column -> made.put(column.table, column.made));
    return made;
  }

  /** The columns of a full snapshot that become part of the store, and their schemas there. */
  @FunctionalInterface
  public interface ColumnFilter {
    /** The schema that a column gets in the store; null if it is left out. */
    @Nullable ColumnSchema keep(String table, ColumnSchema column);
  }

  /**
   * Converts some columns of such a cargo to a snapshot.
   *
   * @param contents the tables of the cargo; tables of values only for columns that are kept
   * @throws IllegalArgumentException if the cargo is not valid; names the error
   */
  public static StoreSnapshot toSnapshot(
      long timestamp, List<TableChanges> contents, ColumnFilter filter) {
    Map<String, TableChanges> parts = byName(contents);
    Map<Integer, BitSet> pages = pages(part(parts, PAGES));
    Map<String, List<Described>> columns = new LinkedHashMap<>();
    for (Described column : schemas(part(parts, SCHEMA))) {
      List<Described> kept = columns.computeIfAbsent(column.table, name -> new ArrayList<>());
      ColumnSchema schema = filter.keep(column.table, column.schema);
      if (schema != null) {
        kept.add(new Described(column.table, schema, column.rows, column.group, column.made));
      }
    }
    Map<String, StoredTable> tables = new LinkedHashMap<>();
    int number = 0;
    for (Map.Entry<String, List<Described>> each : columns.entrySet()) {
      List<StoredColumn> stored = new ArrayList<>();
      for (Described column : each.getValue()) {
        stored.add(column(column, pages, parts));
      }
      TableChanges deleted = parts.get(DELETED + number++);
      if (!stored.isEmpty()) {
        long made = each.getValue().get(0).made;
        tables.put(each.getKey(), table(each.getKey(), stored, deleted).madeIn(made));
      }
    }
    return new StoreSnapshot(timestamp, tables);
  }

  private static Map<String, TableChanges> byName(List<TableChanges> tables) {
    Map<String, TableChanges> parts = new HashMap<>();
    tables.forEach(part -> parts.put(part.table(), part));
    return parts;
  }

  /** The columns of all tables in such a cargo, in their order. */
  static List<Described> columns(ChangeCargo contents) {
    return schemas(part(byName(contents.tables()), SCHEMA));
  }

  /** The stored pages in such a cargo, by group. */
  static Map<Integer, BitSet> pages(ChangeCargo contents) {
    return pages(part(byName(contents.tables()), PAGES));
  }

  private static TableChanges part(Map<String, TableChanges> parts, String name) {
    TableChanges part = parts.get(name);
    if (part == null) {
      throw new IllegalArgumentException("it has no table '%s'".formatted(name));
    }
    return part;
  }

  static ColumnValues values(TableChanges part, String name) {
    ColumnValues values = find(part, name);
    if (values == null) {
      throw new IllegalArgumentException(
          "table '%s' has no column '%s'".formatted(part.table(), name));
    }
    return values;
  }

  private static @Nullable ColumnValues find(TableChanges part, String name) {
    for (InsertedColumn column : part.insertedColumns()) {
      if (column.column().equals(name)) {
        return column.values();
      }
    }
    return null;
  }

  private static List<Described> schemas(TableChanges part) {
    List<Described> columns = new ArrayList<>();
    ColumnValues madeIn = find(part, "made");
    for (long row = 0; row < part.insertedRowCount(); row++) {
      if (values(part, "table").get(row) instanceof String table
          && values(part, "column").get(row) instanceof String column
          && values(part, "type").get(row) instanceof Byte type
          && values(part, "nullable").get(row) instanceof Boolean nullable
          && values(part, "rows").get(row) instanceof Long rows
          && values(part, "group").get(row) instanceof Integer group
          && (madeIn == null ? Long.valueOf(0) : madeIn.get(row)) instanceof Long made
          && made >= 0
          && rows >= 0
          && rows <= ColumnValues.MAX_ROWS) {
        ColumnSchema schema = new ColumnSchema(column, ColumnType.ofId(type), nullable);
        columns.add(new Described(table, schema, rows, group, made));
      } else {
        throw new IllegalArgumentException(format("row %,d of the schemas is not a schema", row));
      }
    }
    return columns;
  }

  private static Map<Integer, BitSet> pages(TableChanges part) {
    Map<Integer, BitSet> pages = new HashMap<>();
    for (long row = 0; row < part.insertedRowCount(); row++) {
      if (values(part, "group").get(row) instanceof Integer group
          && values(part, "page").get(row) instanceof Integer page
          && page >= 0
          && page < ColumnValues.MAX_ROWS / ColumnValues.DEFAULT_ROWS_PER_PAGE) {
        pages.computeIfAbsent(group, unused -> new BitSet()).set(page);
      } else {
        throw new IllegalArgumentException(format("row %,d of the pages is not a page", row));
      }
    }
    return pages;
  }

  private static StoredColumn column(
      Described column, Map<Integer, BitSet> pages, Map<String, TableChanges> parts) {
    if (column.group == NO_GROUP) {
      return StoredColumn.ofDefaults(column.schema, column.rows);
    }
    return LivePages.toColumn(
        column.schema,
        column.rows,
        pages.getOrDefault(column.group, new BitSet()),
        values(part(parts, VALUES + column.group), column.schema.name()));
  }

  private static StoredTable table(
      String name, List<StoredColumn> columns, @Nullable TableChanges deleted) {
    TableSchema schema = new TableSchema(name, columns.stream().map(StoredColumn::schema).toList());
    long rows = columns.get(0).rowCount();
    RowBits bits = deleted == null ? null : deleted.deletedRows();
    if (columns.stream().anyMatch(column -> column.rowCount() != rows)
        || (bits != null && bits.size() > rows)) {
      throw new IllegalArgumentException(
          "the columns or deleted rows of table '%s' do not match".formatted(name));
    }
    return new StoredTable(schema, rows, deletedRows(deleted), columns);
  }
}
