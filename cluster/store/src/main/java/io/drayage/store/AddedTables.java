package io.drayage.store;

import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import io.drayage.store.column.StoredTable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables that the cargoes of one transaction add, still empty. Includes tables that other
 * transactions have added before. Not thread-safe.
 */
final class AddedTables {
  private final Map<String, StoredTable> empty = new LinkedHashMap<>();

  /**
   * Adds the tables of the next cargo. A table whose name is known stays as it is.
   *
   * @throws ShipmentException {@code REJECTED} if there are too many for one entry of the log
   */
  void add(List<TableSchema> tables) throws ShipmentException {
    for (TableSchema table : tables) {
      empty.computeIfAbsent(table.name(), unused -> StoredTable.ofDefaults(table, 0));
    }
    try {
      TableSchema.requireDistinct(schemas());
    } catch (IllegalArgumentException e) {
      throw Rejection.of(String.valueOf(e.getMessage()));
    }
  }

  Collection<String> names() {
    return empty.keySet();
  }

  List<TableSchema> schemas() {
    return empty.values().stream().map(StoredTable::schema).toList();
  }

  /**
   * Returns a snapshot with the tables of these that it lacks.
   *
   * @throws ShipmentException as {@link StoreSnapshot#withTables}
   */
  StoreSnapshot in(StoreSnapshot snapshot) throws ShipmentException {
    return snapshot.withTables(empty.values());
  }
}
