package io.drayage.store;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a transaction has inserted into one table. The first bulk insert is kept as it was
 * passed in until one of its rows is changed or more rows follow. Not thread-safe.
 */
final class InsertedRows {
  private final TableSchema schema;
  private final List<ValueList> columns = new ArrayList<>();
  private final BitSet deleted = new BitSet();

  /** Replaces the lists if there are no other rows. */
  private @Nullable List<ColumnValues> bulk;

  InsertedRows(TableSchema schema) {
    this.schema = schema;
    schema.columns().forEach(column -> columns.add(new ValueList(column.type())));
  }

  /** The number of rows, including rows deleted since. */
  long rowCount() {
    return bulk == null ? columns.get(0).size() : bulk.get(0).rowCount();
  }

  boolean isDeleted(long index) {
    return deleted.get((int) index);
  }

  void add(List<@Nullable Object> row) {
    unpack();
    for (int c = 0; c < columns.size(); c++) {
      columns.get(c).add(row.get(c));
    }
  }

  /** Adds rows by column, in the order of the schema. */
  void addAll(List<ColumnValues> values) {
    if (rowCount() == 0) {
      bulk = values;
      return;
    }
    unpack();
    for (int c = 0; c < columns.size(); c++) {
      columns.get(c).addAll(values.get(c));
    }
  }

  void set(int column, long index, @Nullable Object value) {
    unpack();
    columns.get(column).set(index, value);
  }

  void delete(long index) {
    deleted.set((int) index);
  }

  @Nullable Object get(int column, long index) {
    return bulk == null ? columns.get(column).get(index) : bulk.get(column).get(index);
  }

  private void unpack() {
    List<ColumnValues> packed = bulk;
    if (packed != null) {
      bulk = null;
      for (int c = 0; c < columns.size(); c++) {
        columns.get(c).addAll(packed.get(c));
      }
    }
  }

  /** The remaining rows, by column. No more changes may follow. */
  List<ColumnValues> toColumns() {
    if (!deleted.isEmpty()) {
      return withoutDeleted();
    }
    List<ColumnValues> packed = bulk;
    return packed != null ? packed : columns.stream().map(ValueList::toColumn).toList();
  }

  private List<ColumnValues> withoutDeleted() {
    List<ColumnValues> left = new ArrayList<>();
    for (int c = 0; c < schema.columns().size(); c++) {
      ValueList values = new ValueList(schema.columns().get(c).type());
      for (long i = 0; i < rowCount(); i++) {
        if (!isDeleted(i)) {
          values.add(get(c, i));
        }
      }
      left.add(values.toColumn());
    }
    return left;
  }
}
