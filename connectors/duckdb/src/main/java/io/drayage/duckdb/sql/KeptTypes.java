package io.drayage.duckdb.sql;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TypesTable;
import io.drayage.tables.TableException;
import java.util.List;

/**
 * The types in {@link TypesTable}. A column without an entry has the type of the cargo. A type that
 * the column cannot have is refused when the column is read, and never becomes part of a statement.
 */
public record KeptTypes(TypesTable types) {
  /** Returns the types of the tables in a cargo of live rows. */
  public static KeptTypes of(ChangeCargo rows) {
    return new KeptTypes(TypesTable.of(rows));
  }

  /**
   * Returns the type of a column.
   *
   * @throws TableException if the table of types has a type that the column cannot have
   */
  public ValueType of(String table, InsertedColumn column) throws TableException {
    ColumnType type = column.values().type();
    String name = table.equals(TypesTable.NAME) ? null : types.find(table, column.column());
    if (name == null) {
      return ValueType.of(type);
    }
    ValueType kept = ValueType.ofName(name);
    if (kept == null || !kept.isKept() || kept.type() != type) {
      throw new TableException(
          "table '%s' says that column '%s' of table '%s' is '%s', which a column of %s cannot be, only %s: a table keeps its types, so commit its rows again, to a table of another name"
              .formatted(
                  TypesTable.NAME,
                  Sql.shown(column.column()),
                  Sql.shown(table),
                  Sql.shown(name),
                  type,
                  ValueType.keptNames(type)));
    }
    return kept;
  }

  /** Adds the table of types to a cargo, if any column needs an entry. */
  public static void add(List<Relation> relations, ChangeCargo.Builder cargo) {
    TypesTable.Rows rows = new TypesTable.Rows();
    for (Relation relation : relations) {
      for (Relation.Column column : relation.columns()) {
        if (column.type().isKept()) {
          rows.add(relation.table(), column.name(), column.type().name());
        }
      }
    }
    rows.insertInto(cargo);
  }
}
