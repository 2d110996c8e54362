package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.store.column.LiveRows;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** All tables as of one commit. Immutable; shares unchanged pages with its neighbours. */
public final class StoreSnapshot {
  private final long timestamp;
  private final Map<String, StoredTable> tables;

  StoreSnapshot(long timestamp, Map<String, StoredTable> tables) {
    this.timestamp = timestamp;
    this.tables = tables;
  }

  /** One higher than that of the previous snapshot. */
  public long timestamp() {
    return timestamp;
  }

  /** About what it takes in memory. Reads every text that nobody has measured before. */
  public long memoryBytes() {
    return tables.values().stream().mapToLong(StoredTable::memoryBytes).sum();
  }

  /**
   * The rows that are not deleted, as a cargo that inserts them, of transaction 0 on snapshot 0:
   * its {@link io.drayage.cargo.CargoDigest} depends on nothing but tables, columns, rows and
   * values. Pages that cannot be shared are copied when they are requested.
   */
  public ChangeCargo liveRows() {
    return liveRows((table, column) -> true);
  }

  /**
   * The same with some columns.
   *
   * @param wanted which, by table and name; a table of which none is wanted is left out
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
   * @throws IllegalArgumentException if there is none, naming it
   */
  public StoredTable table(String table) {
    StoredTable found = find(table);
    if (found == null) {
      throw new IllegalArgumentException("table '%s' does not exist".formatted(table));
    }
    return found;
  }

  @Nullable StoredTable find(String table) {
    return tables.get(table);
  }

  /** A snapshot in which {@code changed} replace the tables of the same names. */
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
