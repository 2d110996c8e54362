package io.drayage.tables;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.store.StoreSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * A snapshot in memory, as a source for SQL.
 *
 * @param snapshot the tables that SQL sees
 */
public record SnapshotSource(StoreSnapshot snapshot) implements SqlSource {
  @Override
  public Map<String, List<ColumnSchema>> tables() {
    Map<String, List<ColumnSchema>> tables = new LinkedHashMap<>();
    snapshot.tables().forEach(table -> tables.put(table.schema().name(), table.schema().columns()));
    return tables;
  }

  @Override
  public ChangeCargo read(BiPredicate<String, String> wanted) {
    return snapshot.liveRows(wanted);
  }
}
