package io.drayage.store;

import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables that the cargoes of one transaction add, still empty. Includes tables that other
 * transactions have added before. Not thread-safe.
 */
final class AddedTables {
  private final Map<String, TableSchema> added = new LinkedHashMap<>();

  /**
   * Adds the tables of the next cargo. A table whose name is known stays as it is.
   *
   * @throws ShipmentException {@code REJECTED} if there are too many for one entry of the log
   */
  void add(List<TableSchema> tables) throws ShipmentException {
    for (TableSchema table : tables) {
      added.putIfAbsent(table.name(), table);
    }
    try {
      TableSchema.requireDistinct(schemas());
    } catch (IllegalArgumentException e) {
      throw Rejection.of(String.valueOf(e.getMessage()));
    }
  }

  Collection<String> names() {
    return added.keySet();
  }

  List<TableSchema> schemas() {
    return List.copyOf(added.values());
  }

  /**
   * Returns a snapshot with the tables of these that it lacks.
   *
   * @param made the timestamp of the snapshot that makes them
   * @throws ShipmentException as {@link StoreSnapshot#withTables}
   */
  StoreSnapshot in(StoreSnapshot snapshot, long made) throws ShipmentException {
    return snapshot.withTables(StoreSnapshot.empty(schemas(), made));
  }
}
