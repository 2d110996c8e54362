package io.drayage.cargo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What columns are beyond their type in a cargo: dates, decimals, timestamps. A table of the
 * database, {@value #NAME}, says it by the names that DuckDB has for types. A commit inserts rows
 * for columns of tables that it makes, or rows that say what is said already; it changes and
 * deletes none. Of several rows for a column the last one counts. Immutable.
 */
public final class TypesTable {
  /** Its name. */
  public static final String NAME = "drayage_columns";

  /** Its columns, as everybody makes it. */
  public static final TableSchema SCHEMA =
      TableSchema.of(
          NAME,
          ColumnSchema.of("table", ColumnType.STRING),
          ColumnSchema.of("column", ColumnType.STRING),
          ColumnSchema.of("type", ColumnType.STRING));

  private static final List<String> COLUMNS =
      SCHEMA.columns().stream().map(ColumnSchema::name).toList();

  /** That nothing is said. */
  public static final TypesTable NONE = new TypesTable();

  /** By table and column. */
  private final Map<List<String>, String> types = new HashMap<>();

  private TypesTable() {}

  /** What is said in a cargo of live rows; nothing if it has no such table. */
  public static TypesTable of(ChangeCargo rows) {
    TypesTable said = new TypesTable();
    for (TableChanges table : rows.tables()) {
      if (isTypes(table)) {
        said.read(table.insertedColumns().stream().map(InsertedColumn::values).toList());
      }
    }
    return said;
  }

  /** Whether a table says types, and is not one that a user has given this name. */
  public static boolean isTypes(TableChanges table) {
    List<InsertedColumn> columns = table.insertedColumns();
    return table.table().equals(NAME)
        && columns.stream().map(InsertedColumn::column).toList().equals(COLUMNS)
        && columns.stream().allMatch(each -> each.values().type() == ColumnType.STRING);
  }

  private void read(List<ColumnValues> columns) {
    for (long row = 0; row < columns.get(0).rowCount(); row++) {
      types.put(
          List.of(String.valueOf(columns.get(0).get(row)), String.valueOf(columns.get(1).get(row))),
          String.valueOf(columns.get(2).get(row)));
    }
  }

  /** Whether another one says nothing, or of the same columns the same. */
  public boolean saysAll(TypesTable other) {
    return types.entrySet().containsAll(other.types.entrySet());
  }

  /** What a column is; null if nothing is said of it. */
  public @Nullable String find(String table, String column) {
    return types.get(List.of(table, column));
  }

  /** New rows of it. Not thread-safe. */
  public static final class Rows {
    private final List<ColumnBuilder> columns =
        COLUMNS.stream().map(name -> new ColumnBuilder(ColumnType.STRING)).toList();

    private boolean isEmpty = true;

    /** Says what a column is. */
    public void add(String table, String column, String type) {
      isEmpty = false;
      columns.get(0).addString(table);
      columns.get(1).addString(column);
      columns.get(2).addString(type);
    }

    /** Whether nothing was said. */
    public boolean isEmpty() {
      return isEmpty;
    }

    /** Has a cargo insert them, if there are any. */
    public void insertInto(ChangeCargo.Builder cargo) {
      if (!isEmpty) {
        cargo.table(
            NAME,
            changes -> {
              for (int i = 0; i < columns.size(); i++) {
                changes.insert(COLUMNS.get(i), columns.get(i).build());
              }
            });
      }
    }
  }
}
