package io.drayage.spark.database;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import io.drayage.tables.TableEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one snapshot: their columns, and what the table of types says of these. Immutable.
 */
public final class DatabaseTables {
  /** The table of types, as everybody makes it. */
  public static final TableSchema TYPES =
      TableSchema.of(
          TableEngine.TYPES_TABLE,
          ColumnSchema.of("table", ColumnType.STRING),
          ColumnSchema.of("column", ColumnType.STRING),
          ColumnSchema.of("type", ColumnType.STRING));

  private final long snapshot;
  private final Map<String, TableDescription> tables;

  private DatabaseTables(long snapshot, Map<String, TableDescription> tables) {
    this.snapshot = snapshot;
    this.tables = tables;
  }

  /**
   * Reads those of a snapshot.
   *
   * @throws io.drayage.snapshot.SnapshotException if the store does not hold it, naming those that
   *     it holds
   */
  static DatabaseTables read(ObjectStore objects, long snapshot) throws IOException {
    try (SnapshotColumns columns =
        SnapshotColumns.open(objects, 1, AllowedCodecs.DATA_ONLY, OptionalLong.of(snapshot))) {
      Map<List<String>, String> kept = kept(columns);
      Map<String, TableDescription> tables = new LinkedHashMap<>();
      columns.tables().forEach((name, schemas) -> tables.put(name, describe(name, schemas, kept)));
      return new DatabaseTables(snapshot, tables);
    }
  }

  private static TableDescription describe(
      String table, List<ColumnSchema> columns, Map<List<String>, String> kept) {
    List<SparkTypes.Stored> stored = new ArrayList<>();
    for (ColumnSchema column : columns) {
      stored.add(new SparkTypes.Stored(column.type(), kept.get(List.of(table, column.name()))));
    }
    return new TableDescription(new TableSchema(table, columns), stored);
  }

  /** By table and column, what the table of types says; of several rows the last one counts. */
  private static Map<List<String>, String> kept(SnapshotColumns columns) throws IOException {
    Map<List<String>, String> kept = new HashMap<>();
    List<ColumnSchema> types = columns.tables().get(TYPES.name());
    if (types == null || !hasTypes(types)) {
      return kept;
    }
    ChangeCargo rows = columns.read((table, column) -> table.equals(TYPES.name()));
    for (TableChanges table : rows.tables()) {
      List<ColumnValues> values =
          table.insertedColumns().stream().map(InsertedColumn::values).toList();
      for (long row = 0; row < values.get(0).rowCount(); row++) {
        kept.put(
            List.of(text(values.get(0), row), text(values.get(1), row)), text(values.get(2), row));
      }
    }
    return kept;
  }

  /** Not one that a user has given this name. */
  private static boolean hasTypes(List<ColumnSchema> columns) {
    return columns.size() == TYPES.columns().size()
        && columns.stream().allMatch(each -> each.type() == ColumnType.STRING)
        && columns.stream()
            .map(ColumnSchema::name)
            .toList()
            .equals(TYPES.columns().stream().map(ColumnSchema::name).toList());
  }

  private static String text(ColumnValues texts, long row) {
    return String.valueOf(texts.get(row));
  }

  /** The number of the snapshot. */
  public long snapshot() {
    return snapshot;
  }

  /** Their names, without the table of types. */
  public List<String> names() {
    return tables.keySet().stream().filter(name -> !name.equals(TYPES.name())).toList();
  }

  /** The table of that name; null if there is none. */
  public @Nullable TableDescription find(String table) {
    return tables.get(table);
  }

  @Override
  public String toString() {
    return format("DatabaseTables[of snapshot %d: %s]", snapshot, tables.keySet());
  }
}
