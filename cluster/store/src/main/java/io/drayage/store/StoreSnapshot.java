package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.LiveRows;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** All tables as of one commit. Immutable; shares unchanged pages with neighbouring snapshots. */
public final class StoreSnapshot {
  /**
   * The limit of {@link TableSchema#bytes} of all tables, if a commit adds some: a full snapshot is
   * a cargo, and one of its frames describes all columns.
   */
  static final int MAX_SCHEMA_BYTES = 4 << 20;

  private final long timestamp;
  private final Map<String, StoredTable> tables;

  /** The memory of the snapshot; negative before the first call. Racy, benign. */
  private volatile long memoryBytes = -1;

  StoreSnapshot(long timestamp, Map<String, StoredTable> tables) {
    this.timestamp = timestamp;
    this.tables = tables;
  }

  /** A snapshot of one table. */
  public static StoreSnapshot of(long timestamp, StoredTable table) {
    return new StoreSnapshot(timestamp, Map.of(table.schema().name(), table));
  }

  /** The timestamp: one higher than that of the previous snapshot. */
  public long timestamp() {
    return timestamp;
  }

  /** The approximate memory of the snapshot. Reads every text that was not measured before. */
  public long memoryBytes() {
    long known = memoryBytes;
    if (known < 0) {
      known = 0;
      for (StoredTable table : tables.values()) {
        known += table.memoryBytes();
      }
      memoryBytes = known;
    }
    return known;
  }

  /**
   * The live rows, as a cargo that inserts them, of transaction 0 on snapshot 0: its {@link
   * io.drayage.cargo.CargoDigest} depends only on tables, columns, rows and values. Pages that
   * cannot be shared are copied on demand.
   */
  public ChangeCargo liveRows() {
    return liveRows((table, column) -> true);
  }

  /**
   * The live rows with some columns.
   *
   * @param wanted the selected columns, by table and name; a table without one is left out
   */
  public ChangeCargo liveRows(BiPredicate<String, String> wanted) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(0, 0), 0);
    for (StoredTable table : tables.values()) {
      String name = table.schema().name();
      List<StoredColumn> columns =
          table.columns().stream()
              .filter(column -> wanted.test(name, column.schema().name()))
              .toList();
      if (!columns.isEmpty()) {
        LiveRows rows = new LiveRows(table);
        cargo.table(
            name,
            inserts ->
                columns.forEach(column -> inserts.insert(column.schema().name(), rows.of(column))));
      }
    }
    return cargo.build();
  }

  /** The tables, in the order of their creation. */
  public Collection<StoredTable> tables() {
    return Collections.unmodifiableCollection(tables.values());
  }

  /**
   * The table of that name.
   *
   * @throws IllegalArgumentException if there is none; names the table
   */
  public StoredTable table(String table) {
    StoredTable found = find(table);
    if (found == null) {
      throw new IllegalArgumentException("table '%s' does not exist".formatted(table));
    }
    return found;
  }

  /** Whether it has a table of that name. */
  public boolean has(String table) {
    return tables.containsKey(table);
  }

  @Nullable StoredTable find(String table) {
    return tables.get(table);
  }

  /**
   * The live rows of the {@link TypesTable} that describe columns of these tables. A cargo that
   * drops the tables deletes these rows.
   *
   * @return null if there are none
   */
  public @Nullable RowBits typesOf(Collection<String> described) {
    StoredTable types = find(TypesTable.NAME);
    if (types == null || !types.schema().equals(TypesTable.SCHEMA)) {
      return null;
    }
    StoredColumn names = types.columns().get(0);
    RowBits rows = new RowBits(types.rowCount());
    for (long row = 0; row < types.rowCount(); row++) {
      if (!types.isDeleted(row) && described.contains(String.valueOf(names.get(row)))) {
        rows.set(row);
      }
    }
    return rows.cardinality() == 0 ? null : rows;
  }

  /** Empty tables, to be added to a snapshot. The snapshot {@code made} makes them. */
  static List<StoredTable> empty(List<TableSchema> newTables, long made) {
    return newTables.stream().map(table -> StoredTable.ofDefaults(table, 0).madeIn(made)).toList();
  }

  /**
   * Returns this snapshot with tables that it may lack; this snapshot if it has all of them.
   *
   * @param empty the tables that are added
   * @throws ShipmentException {@code REJECTED} if it has a table of that name with other columns,
   *     naming it and the difference, or if all exceed {@link #MAX_SCHEMA_BYTES}
   */
  StoreSnapshot withTables(Collection<StoredTable> empty) throws ShipmentException {
    List<StoredTable> missing = new ArrayList<>();
    for (StoredTable table : empty) {
      StoredTable found = find(table.schema().name());
      String difference = found == null ? null : found.schema().difference(table.schema());
      if (difference != null) {
        throw Rejection.of(
            "table '%s' cannot be added: it exists with other columns: %s"
                .formatted(table.schema().name(), difference));
      }
      if (found == null) {
        missing.add(table);
      }
    }
    if (missing.isEmpty()) {
      return this;
    }
    StoreSnapshot next = with(timestamp, missing);
    long bytes = next.tables.values().stream().mapToLong(table -> table.schema().bytes()).sum();
    if (bytes > MAX_SCHEMA_BYTES) {
      throw Rejection.of(
          format(
              "table '%s' cannot be added: the description of %,d tables would take %,d bytes, the limit is %,d",
              missing.get(0).schema().name(), next.tables.size(), bytes, MAX_SCHEMA_BYTES));
    }
    return next;
  }

  /** Returns this snapshot without tables of these names. */
  StoreSnapshot without(Collection<String> names) {
    if (names.stream().noneMatch(tables::containsKey)) {
      return this;
    }
    Map<String, StoredTable> rest = new LinkedHashMap<>(tables);
    rest.keySet().removeAll(names);
    return new StoreSnapshot(timestamp, rest);
  }

  /** Returns a snapshot in which {@code changed} replace the tables of the same names. */
  StoreSnapshot with(long newTimestamp, Collection<StoredTable> changed) {
    Map<String, StoredTable> merged = new LinkedHashMap<>(tables);
    for (StoredTable table : changed) {
      merged.put(table.schema().name(), table);
    }
    return new StoreSnapshot(newTimestamp, merged);
  }

  @Override
  public String toString() {
    return format("StoreSnapshot[%d, %s]", timestamp, tables.values());
  }
}
