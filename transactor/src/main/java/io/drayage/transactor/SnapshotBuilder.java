package io.drayage.transactor;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts a snapshot together from whole tables, as they were written to a file. Not thread-safe. */
public final class SnapshotBuilder {
  private final long timestamp;
  private final Map<String, StoredTable> tables = new LinkedHashMap<>();

  /** For a snapshot with this timestamp. */
  public SnapshotBuilder(long timestamp) {
    this.timestamp = timestamp;
  }

  /**
   * Adds a table. Its columns become part of the snapshot without a copy.
   *
   * @param columns the values of each column of the schema, in its order, as many in each
   * @param deleted a set bit for each deleted row; null if none is
   * @throws IllegalArgumentException if the values do not suit the schema or each other, or the
   *     table was added before, naming what is wrong
   */
  public SnapshotBuilder table(
      TableSchema schema, List<ColumnValues> columns, @Nullable RowBits deleted) {
    requireFit(schema, columns, deleted);
    long rows = columns.get(0).rowCount();
    List<StoredColumn> stored = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      stored.add(new StoredColumn(schema.columns().get(i), List.of()).append(columns.get(i)));
    }
    DeletedRows deletedRows = deleted == null ? DeletedRows.NONE : DeletedRows.NONE.plus(deleted);
    if (tables.put(schema.name(), new StoredTable(schema, rows, deletedRows, stored)) != null) {
      throw new IllegalArgumentException("table '%s' is there twice".formatted(schema.name()));
    }
    return this;
  }

  private static void requireFit(
      TableSchema schema, List<ColumnValues> columns, @Nullable RowBits deleted) {
    if (columns.size() != schema.columns().size()) {
      throw new IllegalArgumentException(
          "table '%s' has %,d columns, not %,d"
              .formatted(schema.name(), schema.columns().size(), columns.size()));
    }
    long rows = columns.get(0).rowCount();
    for (int i = 0; i < columns.size(); i++) {
      ColumnValues values = columns.get(i);
      ColumnSchema column = schema.columns().get(i);
      if (values.type() != column.type() || values.rowCount() != rows) {
        throw new IllegalArgumentException(
            "column '%s' of table '%s' must hold %,d rows of %s, not %s"
                .formatted(column.name(), schema.name(), rows, column.type(), values));
      }
    }
    if (deleted != null && deleted.size() > rows) {
      throw new IllegalArgumentException(
          "table '%s' has %,d rows, but %,d deleted bits"
              .formatted(schema.name(), rows, deleted.size()));
    }
  }

  /** The snapshot. */
  public StoreSnapshot build() {
    return new StoreSnapshot(timestamp, new LinkedHashMap<>(tables));
  }
}
