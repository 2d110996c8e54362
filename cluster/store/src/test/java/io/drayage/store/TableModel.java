package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.store.column.LiveRows;
import io.drayage.store.column.Pages;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A naive implementation of a table: lists of boxed values. */
final class TableModel {
  private final TableSchema schema;
  private final List<List<@Nullable Object>> columns = new ArrayList<>();
  private final BitSet deleted;
  private int rowCount;

  TableModel(TableSchema schema, int rowCount) {
    this.schema = schema;
    this.rowCount = rowCount;
    this.deleted = new BitSet();
    for (ColumnSchema column : schema.columns()) {
      Object value = Pages.defaultValue(column.type());
      columns.add(new ArrayList<>(Collections.nCopies(rowCount, value)));
    }
  }

  private TableModel(TableModel other) {
    this.schema = other.schema;
    this.rowCount = other.rowCount;
    this.deleted = (BitSet) other.deleted.clone();
    other.columns.forEach(column -> columns.add(new ArrayList<>(column)));
  }

  TableModel copy() {
    return new TableModel(this);
  }

  int rowCount() {
    return rowCount;
  }

  boolean isDeleted(int row) {
    return deleted.get(row);
  }

  @Nullable Object value(int column, int row) {
    return columns.get(column).get(row);
  }

  void insert(List<List<@Nullable Object>> values) {
    for (int c = 0; c < columns.size(); c++) {
      columns.get(c).addAll(values.get(c));
    }
    rowCount += values.get(0).size();
  }

  void update(int column, int row, @Nullable Object value) {
    columns.get(column).set(row, value);
  }

  void delete(int row) {
    deleted.set(row);
  }

  /** Fails unless the live rows of the table are the same, one after the other. */
  void assertSameLiveRows(StoredTable table, String description) {
    LiveRows live = new LiveRows(table);
    for (int c = 0; c < columns.size(); c++) {
      ColumnValues all = live.of(table.columns().get(c));
      ColumnValues values = all.pinned(0, (int) all.rowCount());
      List<@Nullable Object> expected = new ArrayList<>();
      List<@Nullable Object> found = new ArrayList<>();
      for (int row = deleted.nextClearBit(0); row < rowCount; row = deleted.nextClearBit(row + 1)) {
        found.add(values.get(expected.size()));
        expected.add(columns.get(c).get(row));
      }
      assertThat(found).as(description).isEqualTo(expected).hasSize((int) values.rowCount());
    }
  }

  /** Fails with {@code description} if the table has other contents. */
  void assertSame(StoredTable table, String description) {
    if (table.rowCount() != rowCount || table.liveRowCount() != rowCount - deleted.cardinality()) {
      fail("%s: %s, expected %d rows with %s deleted", description, table, rowCount, deleted);
    }
    for (int row = 0; row < rowCount; row++) {
      if (table.isDeleted(row) != deleted.get(row)) {
        fail("%s: row %d is deleted: %s", description, row, table.isDeleted(row));
      }
    }
    for (int c = 0; c < columns.size(); c++) {
      StoredColumn column = table.columns().get(c);
      for (int row = 0; row < rowCount; row++) {
        // The values of deleted rows are lost at a restart.
        if (!deleted.get(row) && !Objects.equals(column.get(row), columns.get(c).get(row))) {
          fail(
              "%s: row %d of %s is %s, expected %s",
              description, row, column.schema(), column.get(row), columns.get(c).get(row));
        }
      }
    }
  }
}
