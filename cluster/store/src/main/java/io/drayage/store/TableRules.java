package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.Names;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the tables that a transaction drops or adds, and for names and types of these,
 * given the tables of the database at the commit, and the commits since the transaction's base. A
 * replay does not check them, because the commit did. Not thread-safe.
 */
final class TableRules {
  private record Column(String table, String name) {}

  private final long baseSnapshot;
  private final OnConflict onConflict;
  private final long madeUntil;

  /** The tables that the transaction changes, drops or adds. */
  private final Set<String> named = new LinkedHashSet<>();

  private final Set<String> dropped = new LinkedHashSet<>();
  private final Map<String, TableSchema> added = new LinkedHashMap<>();
  private final Set<String> mustBeNew = new HashSet<>();
  private final Map<Column, String> types = new LinkedHashMap<>();

  /** The commits since the base. */
  private List<CommitFootprint> later;

  /** The snapshot before the transaction, without the tables that it drops. */
  private StoreSnapshot current;

  /** The names of the current tables and the added ones, by their folded form. */
  private @Nullable Map<String, String> names;

  /** The types in the current snapshot; null before the first use. */
  private @Nullable TypesTable said;

  /**
   * @param current the snapshot before the transaction
   * @param later the commits since its base
   * @param madeUntil the newest snapshot that may have made a table that it only changes
   */
  TableRules(
      StoreSnapshot current,
      long baseSnapshot,
      List<CommitFootprint> later,
      OnConflict onConflict,
      long madeUntil) {
    this.current = current;
    this.baseSnapshot = baseSnapshot;
    this.later = later;
    this.onConflict = onConflict;
    this.madeUntil = madeUntil;
  }

  /**
   * Checks and adds the tables and types of the next cargo.
   *
   * @throws ShipmentException {@code CONFLICT} if a table must be new and is not, if others have
   *     dropped a table, or have changed one that is to be dropped; {@code REJECTED} if a drop, a
   *     name or a type is not valid, naming it
   */
  void add(ChangeCargo cargo) throws ShipmentException {
    drop(cargo.droppedTables());
    List<String> tables = new ArrayList<>();
    cargo.newTables().forEach(table -> tables.add(table.name()));
    cargo.tables().forEach(table -> tables.add(table.table()));
    requireNotDropped(tables);
    named.addAll(tables);
    mustBeNew.addAll(cargo.mustBeNew());
    requireNew(cargo.mustBeNew());
    List<TableSchema> fresh = new ArrayList<>();
    for (TableSchema table : cargo.newTables()) {
      if (added.putIfAbsent(table.name(), table) == null) {
        fresh.add(table);
      }
    }
    requireNames(fresh);
    for (TableChanges changes : cargo.tables()) {
      requireMade(changes.table());
      if (changes.table().equals(TypesTable.NAME) && hasTypes()) {
        addTypes(changes);
      }
    }
  }

  /**
   * Repeats the checks on a newer snapshot.
   *
   * @param since all commits since the base
   * @throws ShipmentException as {@link #add}
   */
  void requireOn(StoreSnapshot newest, List<CommitFootprint> since) throws ShipmentException {
    later = since;
    current = newest;
    requireNotDropped(named);
    requireDroppable(dropped);
    current = newest.without(dropped);
    names = null;
    said = null;
    requireNew(mustBeNew);
    requireNames(added.values());
    for (Map.Entry<Column, String> each : types.entrySet()) {
      requireType(each.getKey(), each.getValue());
    }
  }

  private void drop(List<String> tables) throws ShipmentException {
    for (String table : tables) {
      if (!named.add(table)) {
        throw Rejection.of(
            "table '%s' cannot be dropped: an earlier cargo of the transaction names it"
                .formatted(table));
      }
    }
    requireNotDropped(tables);
    requireDroppable(tables);
    dropped.addAll(tables);
    current = current.without(tables);
    names = null;
  }

  /** Fails if others have dropped one of the tables, even if they have made it again. */
  private void requireNotDropped(Collection<String> tables) throws ShipmentException {
    for (CommitFootprint commit : later) {
      for (String table : commit.dropped()) {
        if (tables.contains(table)) {
          throw new ShipmentException(
              Fault.CONFLICT,
              format("table '%s' was dropped by others since snapshot %d", table, baseSnapshot));
        }
      }
    }
  }

  /** Fails if a table that the transaction does not add is another one than it was planned for. */
  private void requireMade(String table) throws ShipmentException {
    StoredTable found = added.containsKey(table) ? null : current.find(table);
    if (found != null && found.made() > madeUntil && !table.equals(TypesTable.NAME)) {
      throw new ShipmentException(
          Fault.CONFLICT,
          format(
              "table '%s' is another one, which snapshot %d made: the changes are for the one of snapshot %d",
              table, found.made(), madeUntil));
    }
  }

  private void requireDroppable(Collection<String> tables) throws ShipmentException {
    for (String table : tables) {
      StoredTable found = current.find(table);
      if (found == null) {
        throw Rejection.of("table '%s' cannot be dropped: it does not exist".formatted(table));
      }
      if (found.schema().equals(TypesTable.SCHEMA)) {
        throw Rejection.of(
            "table '%s' cannot be dropped: it says what columns are".formatted(table));
      }
      if (found.made() > baseSnapshot
          || (onConflict == OnConflict.REJECT
              && later.stream().anyMatch(commit -> commit.tables().containsKey(table)))) {
        throw new ShipmentException(
            Fault.CONFLICT,
            format(
                "table '%s' is to be dropped, and was %s by others since snapshot %d",
                table, found.made() > baseSnapshot ? "made" : "changed", baseSnapshot));
      }
    }
  }

  /**
   * Fails if types of a dropped table are left.
   *
   * @param next the snapshot after the transaction, in which its own rows follow the earlier ones
   * @throws ShipmentException {@code REJECTED} in that case, naming the table
   */
  void requireTypesDropped(StoreSnapshot next) throws ShipmentException {
    RowBits types = dropped.isEmpty() ? null : next.typesOf(dropped);
    StoredTable before = current.find(TypesTable.NAME);
    if (types == null || before == null) {
      return;
    }
    for (long row = 0; row < before.rowCount(); row++) {
      if (types.get(row)) {
        throw Rejection.of(
            format(
                "table '%s' cannot be dropped without its rows in table '%s': row %d is left",
                before.get("table", row), TypesTable.NAME, row));
      }
    }
  }

  private void requireNew(Collection<String> tables) throws ShipmentException {
    for (String table : tables) {
      if (current.has(table)) {
        throw new ShipmentException(
            Fault.CONFLICT,
            "table '%s' must be new, and exists: another commit has made it".formatted(table));
      }
    }
  }

  private void requireNames(Collection<TableSchema> tables) throws ShipmentException {
    for (TableSchema table : tables) {
      if (current.has(table.name())) {
        continue;
      }
      if (names == null) {
        names = folded(current);
      }
      String problem = problem(table, names);
      if (problem != null) {
        throw Rejection.of(problem);
      }
    }
  }

  /** The names of the tables of a snapshot, by their folded form. */
  static Map<String, String> folded(StoreSnapshot snapshot) {
    Map<String, String> names = new HashMap<>();
    for (StoredTable table : snapshot.tables()) {
      String name = table.schema().name();
      names.put(Names.folded(name), name);
    }
    return names;
  }

  /**
   * The reason why a table cannot be added; null if it can.
   *
   * @param names the other tables, by their folded form. The table is added to them
   */
  static @Nullable String problem(TableSchema table, Map<String, String> names) {
    String name = table.name();
    String other = names.putIfAbsent(Names.folded(name), name);
    if (other != null && !other.equals(name)) {
      return "table '%s' cannot be added: it differs from table '%s' in case alone, and SQL takes them for one"
          .formatted(name, other);
    }
    Map<String, String> columns = new HashMap<>();
    for (ColumnSchema column : table.columns()) {
      String same = columns.put(Names.folded(column.name()), column.name());
      if (same != null) {
        return "table '%s' cannot be added: its columns '%s' and '%s' differ in case alone, and SQL takes them for one"
            .formatted(name, same, column.name());
      }
    }
    return Names.folded(name).equals(TypesTable.NAME) && !table.equals(TypesTable.SCHEMA)
        ? "table '%s' cannot be added: table '%s' says what columns are, and has the columns %s"
            .formatted(name, TypesTable.NAME, TypesTable.SCHEMA.columns())
        : null;
  }

  /** Whether the table of types has the columns of one, and is not a table older than this rule. */
  private boolean hasTypes() {
    StoredTable types = current.find(TypesTable.NAME);
    return types == null || types.schema().equals(TypesTable.SCHEMA);
  }

  private void addTypes(TableChanges changes) throws ShipmentException {
    if (!changes.updates().isEmpty() || deletesOthers(changes.deletedRows())) {
      throw Rejection.of(
          "table '%s' says what columns are: its rows cannot be updated or deleted"
              .formatted(TypesTable.NAME));
    }
    List<ColumnValues> texts = new ArrayList<>();
    for (ColumnSchema column : TypesTable.SCHEMA.columns()) {
      for (InsertedColumn inserted : changes.insertedColumns()) {
        if (inserted.column().equals(column.name())
            && inserted.values().type() == ColumnType.STRING) {
          texts.add(inserted.values());
        }
      }
    }
    if (texts.size() < TypesTable.SCHEMA.columns().size()) {
      return; // The table has other columns, which is reported as for each table.
    }
    for (long row = 0; row < changes.insertedRowCount(); row++) {
      Column column = new Column(text(texts.get(0), row), text(texts.get(1), row));
      String type = text(texts.get(2), row);
      requireType(column, type);
      String other = types.putIfAbsent(column, type);
      if (other != null && !other.equals(type)) {
        throw differs(column, other, type);
      }
    }
  }

  /** Whether rows of types are deleted, other than those of the dropped tables. */
  private boolean deletesOthers(@Nullable RowBits deletes) {
    StoredTable types = current.find(TypesTable.NAME);
    if (deletes == null || types == null) {
      return deletes != null;
    }
    for (long row = 0; row < Math.min(deletes.size(), types.rowCount()); row++) {
      if (deletes.get(row) && !dropped.contains(String.valueOf(types.get("table", row)))) {
        return true;
      }
    }
    return false;
  }

  private static String text(ColumnValues values, long row) {
    return String.valueOf(values.get(row));
  }

  private void requireType(Column column, String type) throws ShipmentException {
    StoredTable stored = current.find(column.table);
    TableSchema schema = stored == null ? added.get(column.table) : stored.schema();
    if (schema == null || schema.indexOf(column.name) < 0) {
      throw Rejection.of(
          "table '%s' cannot say what column '%s' of table '%s' is, which does not exist"
              .formatted(TypesTable.NAME, column.name, column.table));
    }
    if (stored == null) {
      return;
    }
    String before = said().find(column.table, column.name);
    if (before == null) {
      throw Rejection.of(
          "table '%s' cannot say that column '%s' of table '%s' is %s: the commit that makes a table says it, and this table exists"
              .formatted(TypesTable.NAME, column.name, column.table, type));
    }
    if (!before.equals(type)) {
      throw differs(column, before, type);
    }
  }

  private static ShipmentException differs(Column column, String is, String wanted) {
    return Rejection.of(
        "table '%s' cannot be added: its column '%s' is %s, not %s"
            .formatted(column.table, column.name, is, wanted));
  }

  private TypesTable said() {
    TypesTable read = said;
    if (read == null) {
      read = TypesTable.of(current.liveRows((table, column) -> table.equals(TypesTable.NAME)));
      said = read;
    }
    return read;
  }
}
