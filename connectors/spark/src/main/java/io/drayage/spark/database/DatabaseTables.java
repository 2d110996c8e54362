package io.drayage.spark.database;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.Names;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.database.LogPosition;
import io.drayage.replica.SnapshotColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one snapshot, with their columns and the kept types of these. Immutable.
 *
 * @param snapshot the entry of the log that made the snapshot
 */
public record DatabaseTables(LogPosition snapshot, Map<String, TableDescription> tables) {
  /**
   * Reads the tables of a snapshot.
   *
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, with the existing
   *     ones
   * @throws io.drayage.database.ForeignDatabaseException if another one is in its place
   */
  static DatabaseTables read(DrayageStore store, LogPosition snapshot) throws IOException {
    try (SnapshotColumns columns = store.open(1, snapshot)) {
      TypesTable types =
          columns.tables().containsKey(TypesTable.NAME)
              ? TypesTable.of(columns.read((table, column) -> table.equals(TypesTable.NAME)))
              : TypesTable.NONE;
      Map<String, TableDescription> tables = new LinkedHashMap<>();
      columns
          .tables()
          .forEach(
              (name, schemas) ->
                  tables.put(name, describe(name, schemas, types).madeIn(columns.made(name))));
      return new DatabaseTables(snapshot, tables);
    }
  }

  private static TableDescription describe(
      String table, List<ColumnSchema> columns, TypesTable types) {
    List<SparkTypes.Stored> stored = new ArrayList<>();
    for (ColumnSchema column : columns) {
      stored.add(new SparkTypes.Stored(column.type(), types.find(table, column.name())));
    }
    return new TableDescription(new TableSchema(table, columns), stored, 0);
  }

  /** Returns their names, without the table of types. */
  public List<String> names() {
    return tables.keySet().stream().filter(name -> !name.equals(TypesTable.NAME)).toList();
  }

  /**
   * Returns the table of that name; otherwise the only table whose name differs only in the case of
   * ASCII letters, because Spark and SQL ignore case; null if there is none.
   */
  public @Nullable TableDescription find(String table) {
    TableDescription found = tables.get(table);
    if (found != null) {
      return found;
    }
    String folded = Names.folded(table);
    List<TableDescription> same =
        tables.values().stream().filter(each -> Names.folded(each.name()).equals(folded)).toList();
    return same.size() == 1 ? same.get(0) : null;
  }

  @Override
  public String toString() {
    return format("DatabaseTables[of %s: %s]", snapshot, tables.keySet());
  }
}
