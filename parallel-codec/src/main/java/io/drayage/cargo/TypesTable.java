package io.drayage.cargo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of columns that {@link ColumnType} cannot express: dates, decimals, timestamps. The
 * table {@value #NAME} of the database has them, by their names in DuckDB. A commit inserts rows
 * for columns of tables that it makes, or repeats existing rows; it changes and deletes none. If a
 * column has several rows, the last one counts. Immutable.
 */
public final class TypesTable {
  /** The name of the table. */
  public static final String NAME = "drayage_columns";

  /** The schema of the table; everybody who makes the table uses it. */
  public static final TableSchema SCHEMA =
      TableSchema.of(
          NAME,
          ColumnSchema.of("table", ColumnType.STRING),
          ColumnSchema.of("column", ColumnType.STRING),
          ColumnSchema.of("type", ColumnType.STRING));

  private static final List<String> COLUMNS =
      SCHEMA.columns().stream().map(ColumnSchema::name).toList();

  /** Types of no column. */
  public static final TypesTable NONE = new TypesTable();

  /** The types by table and column. */
  private final Map<List<String>, String> types = new HashMap<>();

  private TypesTable() {}

  /** The types in a cargo of live rows; none if the cargo does not have this table. */
  public static TypesTable of(ChangeCargo rows) {
    TypesTable said = new TypesTable();
    for (TableChanges table : rows.tables()) {
      if (isTypes(table)) {
        said.read(table.insertedColumns().stream().map(InsertedColumn::values).toList());
      }
    }
    return said;
  }

  /** Whether a table has types. A user's table of this name with other columns has none. */
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

  /** Whether this table has every type of {@code other}. */
  public boolean saysAll(TypesTable other) {
    return types.entrySet().containsAll(other.types.entrySet());
  }

  /** The type of a column; null if this table has none for it. */
  public @Nullable String find(String table, String column) {
    return types.get(List.of(table, column));
  }

  /** New rows of the table. Not thread-safe. */
  public static final class Rows {
    private final List<ColumnBuilder> columns =
        COLUMNS.stream().map(name -> new ColumnBuilder(ColumnType.STRING)).toList();

    private boolean isEmpty = true;

    /** Adds the type of a column. */
    public void add(String table, String column, String type) {
      isEmpty = false;
      columns.get(0).addString(table);
      columns.get(1).addString(column);
      columns.get(2).addString(type);
    }

    /** Whether no row was added. */
    public boolean isEmpty() {
      return isEmpty;
    }

    /** Makes a cargo insert the rows, if there are any. */
    public void insertInto(ChangeCargo.Builder cargo) {
      if (!isEmpty) {
        cargo.table(NAME, this::insertInto);
      }
    }

    /** Inserts the rows, if there are any. */
    public void insertInto(ChangeCargo.TableChangesBuilder changes) {
      for (int i = 0; i < columns.size() && !isEmpty; i++) {
        changes.insert(COLUMNS.get(i), columns.get(i).build());
      }
    }
  }
}
