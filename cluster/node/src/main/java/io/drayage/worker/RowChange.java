package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The effect of a commit on one row. Immutable. Values are read from the snapshots on demand. */
public final class RowChange {
  private final ChangeKind kind;
  private final long row;
  private final List<StoredColumn> before;
  private final List<StoredColumn> after;

  private RowChange(
      ChangeKind kind, long row, List<StoredColumn> before, List<StoredColumn> after) {
    this.kind = kind;
    this.row = row;
    this.before = before;
    this.after = after;
  }

  static RowChange insert(long row, StoredTable after) {
    return new RowChange(ChangeKind.INSERT, row, List.of(), after.columns());
  }

  static RowChange update(long row, List<String> columns, StoredTable before, StoredTable after) {
    return new RowChange(
        ChangeKind.UPDATE,
        row,
        columns.stream().map(before::column).toList(),
        columns.stream().map(after::column).toList());
  }

  static RowChange delete(long row, StoredTable before) {
    return new RowChange(ChangeKind.DELETE, row, before.columns(), List.of());
  }

  /** The kind of the change. */
  public ChangeKind kind() {
    return kind;
  }

  /** The row's number in its table, which never changes and is never reused. */
  public long row() {
    return row;
  }

  /**
   * The new values by column, boxed. An inserted row has all columns, an updated row its updated
   * columns, a deleted row none. A new map, in the order of the columns.
   */
  public Map<String, @Nullable Object> values() {
    return read(after);
  }

  /**
   * The previous values, as {@link #values}. An updated row has its updated columns, a deleted row
   * all columns, an inserted row none.
   */
  public Map<String, @Nullable Object> before() {
    return read(before);
  }

  private Map<String, @Nullable Object> read(List<StoredColumn> columns) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (StoredColumn column : columns) {
      values.put(column.schema().name(), column.get(row));
    }
    return values;
  }

  @Override
  public String toString() {
    return format("RowChange[%s %d, %s]", kind, row, values());
  }
}
