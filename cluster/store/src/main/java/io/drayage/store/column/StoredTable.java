package io.drayage.store.column;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table in one snapshot. Immutable.
 *
 * <p>A row keeps its number for ever: inserted rows are numbered after the last row, and a deleted
 * row keeps its position. The values of a deleted row remain until the snapshot is loaded from a
 * full snapshot.
 *
 * <p>The name and the snapshot that made the table identify it: a table that is dropped and made
 * again is another one.
 */
public final class StoredTable {
  private final TableSchema schema;
  private final long made;
  private final long rowCount;
  private final DeletedRows deleted;
  private final List<StoredColumn> columns;

  /**
   * @param rowCount number of all rows, including deleted ones
   * @param columns in the order of the schema, each with that number of rows
   */
  public StoredTable(
      TableSchema schema, long rowCount, DeletedRows deleted, List<StoredColumn> columns) {
    this(schema, 0, rowCount, deleted, columns);
  }

  private StoredTable(
      TableSchema schema,
      long made,
      long rowCount,
      DeletedRows deleted,
      List<StoredColumn> columns) {
    this.schema = schema;
    this.made = made;
    this.rowCount = rowCount;
    this.deleted = deleted;
    this.columns = List.copyOf(columns);
  }

  /** A table whose rows have default values. */
  public static StoredTable ofDefaults(TableSchema schema, long rowCount) {
    List<StoredColumn> columns = new ArrayList<>();
    for (ColumnSchema column : schema.columns()) {
      columns.add(StoredColumn.ofDefaults(column, rowCount));
    }
    return new StoredTable(schema, rowCount, DeletedRows.NONE, columns);
  }

  /** Returns the same rows as a table that another snapshot made. */
  public StoredTable madeIn(long snapshot) {
    return new StoredTable(schema, snapshot, rowCount, deleted, columns);
  }

  /** Returns the same table with other rows. */
  public StoredTable with(long allRows, DeletedRows allDeleted, List<StoredColumn> allColumns) {
    return new StoredTable(schema, made, allRows, allDeleted, allColumns);
  }

  /** The timestamp of the snapshot that made the table; 0 if the database began with it. */
  public long made() {
    return made;
  }

  /** The name and columns of the table. */
  public TableSchema schema() {
    return schema;
  }

  /** The number of rows, including deleted ones. */
  public long rowCount() {
    return rowCount;
  }

  /** The number of live rows. */
  public long liveRowCount() {
    return rowCount - deleted.count();
  }

  /**
   * Whether a row is deleted.
   *
   * @throws IndexOutOfBoundsException if there is no such row; names the row and the row count
   */
  public boolean isDeleted(long row) {
    if (row < 0 || row >= rowCount) {
      throw new IndexOutOfBoundsException(
          format("row %,d is outside the %,d rows of table '%s'", row, rowCount, schema.name()));
    }
    return deleted.get(row);
  }

  /** The approximate memory of the table. Reads every text that was not measured before. */
  public long memoryBytes() {
    Stream<StoredColumn> all = columns.stream();
    return (columns.stream().allMatch(StoredColumn::isMeasured) ? all : all.parallel())
            .mapToLong(StoredColumn::memoryBytes)
            .sum()
        + deleted.memoryBytes();
  }

  /** The columns, in the order of the schema. */
  public List<StoredColumn> columns() {
    return columns;
  }

  /**
   * The column of that name.
   *
   * @throws IllegalArgumentException if there is none; names the column
   */
  public StoredColumn column(String column) {
    int index = schema.indexOf(column);
    if (index < 0) {
      throw new IllegalArgumentException(
          "table '%s' has no column '%s'".formatted(schema.name(), column));
    }
    return columns.get(index);
  }

  /**
   * The boxed value of a cell, or null. For tests and displays.
   *
   * @throws IllegalArgumentException if there is no such column
   * @throws IndexOutOfBoundsException if there is no such row
   */
  public @Nullable Object get(String column, long row) {
    return column(column).get(row);
  }

  /** The deleted rows. */
  public DeletedRows deleted() {
    return deleted;
  }

  @Override
  public String toString() {
    return format(
        "StoredTable[%s, %,d rows, %,d of them deleted]", schema.name(), rowCount, deleted.count());
  }
}
