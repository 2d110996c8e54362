package io.drayage.duckdb.sql;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.tables.TableEngine;
import io.drayage.tables.TableException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What columns are beyond their type in a cargo: dates, decimals, timestamps. A table of the
 * database like any other, {@value #TABLE}, says it: {@code table}, {@code column}, {@code type} as
 * DuckDB writes it. Of several rows for a column the last one counts; one that says what the column
 * cannot be is refused when the column is read, and never becomes part of a statement.
 */
public final class KeptTypes {
  public static final String TABLE = TableEngine.TYPES_TABLE;

  private static final List<String> COLUMNS = List.of("table", "column", "type");

  /** By table and column, what stands there: any worker may have written it. */
  private final Map<List<String>, String> types = new HashMap<>();

  /** Those of the tables in a cargo of live rows. */
  public static KeptTypes of(ChangeCargo rows) {
    KeptTypes kept = new KeptTypes();
    for (TableChanges table : rows.tables()) {
      if (isTypes(table)) {
        kept.read(table.insertedColumns().stream().map(InsertedColumn::values).toList());
      }
    }
    return kept;
  }

  /** Whether a table says types, and is not one that a user has given this name. */
  public static boolean isTypes(TableChanges table) {
    List<InsertedColumn> columns = table.insertedColumns();
    return table.table().equals(TABLE)
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

  /**
   * What a column is.
   *
   * @throws TableException if the table of types says what it cannot be
   */
  public ValueType of(String table, InsertedColumn column) throws TableException {
    ColumnType type = column.values().type();
    String name = table.equals(TABLE) ? null : types.get(List.of(table, column.column()));
    if (name == null) {
      return ValueType.of(type);
    }
    ValueType kept = ValueType.ofName(name);
    if (kept == null || !kept.isKept() || kept.type() != type) {
      throw new TableException(
          "table '%s' says that column '%s' of table '%s' is '%s', which a column of %s cannot be, only %s: delete or correct that row"
              .formatted(
                  TABLE,
                  Sql.shown(column.column()),
                  Sql.shown(table),
                  Sql.shown(name),
                  type,
                  ValueType.keptNames(type)));
    }
    return kept;
  }

  /** Adds the table to a cargo, if there is something to say. */
  public static void add(List<Relation> relations, ChangeCargo.Builder cargo) {
    List<ColumnBuilder> columns =
        COLUMNS.stream().map(name -> new ColumnBuilder(ColumnType.STRING)).toList();
    boolean any = false;
    for (Relation relation : relations) {
      for (Relation.Column column : relation.columns()) {
        if (column.type().isKept()) {
          any = true;
          columns.get(0).addString(relation.table());
          columns.get(1).addString(column.name());
          columns.get(2).addString(column.type().name());
        }
      }
    }
    if (any) {
      cargo.table(
          TABLE,
          changes -> {
            for (int i = 0; i < COLUMNS.size(); i++) {
              changes.insert(COLUMNS.get(i), columns.get(i).build());
            }
          });
    }
  }
}
