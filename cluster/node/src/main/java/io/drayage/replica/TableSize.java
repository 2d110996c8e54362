package io.drayage.replica;

import io.drayage.cargo.ChangeCargo;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.store.FullContents;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The approximate size of a table, from the manifests of its cargoes.
 *
 * @param rows number of rows that are not deleted; rows that the log deleted since the last full
 *     snapshot count too
 * @param columnBytes raw bytes of each column by name; a column that was never written has none
 */
public record TableSize(long rows, Map<String, Long> columnBytes) {
  /** The size of a table without inserted rows. */
  public static final TableSize NONE = new TableSize(0, Map.of());

  /** Copies the map. */
  public TableSize {
    columnBytes = Map.copyOf(columnBytes);
  }

  /** Raw bytes of a column. */
  public long bytes(String column) {
    return columnBytes.getOrDefault(column, 0L);
  }

  /** The running sum of one table. */
  private static final class Sum {
    long rows;
    final Map<String, Long> columnBytes = new HashMap<>();

    void add(Part part, String column) {
      columnBytes.merge(column, part.rawBytes(), Long::sum);
    }
  }

  /**
   * Computes the sizes, by table.
   *
   * @param begins the entry of the log with which each table begins that it drops
   */
  static Map<String, TableSize> of(
      ChangeCargo described,
      SnapshotLoader loader,
      SnapshotContents full,
      List<SnapshotEntry> log,
      Map<String, Long> begins)
      throws IOException {
    Map<String, Sum> sums = new HashMap<>();
    FullContents.rows(described)
        .forEach((table, rows) -> sum(sums, table).rows = rows.liveRowCount());
    Map<String, String> tableOf = FullContents.tablesOfValues(described);
    for (Part part : loader.manifest(full).parts()) {
      String table = tableOf.get(part.table());
      if (table != null) {
        sum(sums, table).add(part, part.column());
      }
    }
    sums.keySet().removeAll(begins.keySet());
    for (SnapshotEntry entry : log) {
      long timestamp = entry.manifest().timestamp();
      for (SnapshotContents cargo : entry.manifest().cargoes()) {
        add(loader.manifest(cargo), table -> timestamp >= begins.getOrDefault(table, 0L), sums);
      }
    }
    Map<String, TableSize> sizes = new HashMap<>();
    sums.forEach((table, sum) -> sizes.put(table, new TableSize(sum.rows, sum.columnBytes)));
    return sizes;
  }

  private static Sum sum(Map<String, Sum> sums, String table) {
    return sums.computeIfAbsent(table, name -> new Sum());
  }

  private static void add(Manifest cargo, Predicate<String> counts, Map<String, Sum> sums) {
    Map<String, Long> inserted = new HashMap<>();
    for (Part part : cargo.parts()) {
      if (part.kind() == PartKind.INSERTED_VALUES && counts.test(part.table())) {
        sum(sums, part.table()).add(part, part.column());
        inserted.put(part.table(), part.rowCount());
      }
    }
    inserted.forEach((table, rows) -> sum(sums, table).rows += rows);
  }
}
