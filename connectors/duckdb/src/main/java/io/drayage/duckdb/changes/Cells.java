package io.drayage.duckdb.changes;

import io.drayage.arrow.ArrowColumns;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.lang.reflect.Array;
import java.util.BitSet;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** The values of one column of a batch, set one by one. Not thread-safe. */
final class Cells {
  private final ColumnType type;

  /** Of arrays, one: what a column is made of. */
  private final Object[] pages;

  private final Object zero;
  private final BitSet nulls = new BitSet();

  Cells(Field field, int rows) {
    this.type = ArrowColumns.type(field);
    Class<?> element = type.pageClass().getComponentType();
    this.pages = (Object[]) Array.newInstance(type.pageClass(), 1);
    pages[0] = Array.newInstance(element, rows);
    this.zero = element.isPrimitive() ? Array.get(Array.newInstance(element, 1), 0) : "";
  }

  void set(int row, @Nullable Object value) {
    if (type == ColumnType.STRING) {
      ((@Nullable String[]) pages[0])[row] = (String) value;
    } else {
      // Nothing of the batch before stays: the same changes are the same bytes.
      Array.set(pages[0], row, value == null ? zero : value);
      nulls.set(row, value == null);
    }
  }

  /** Has a vector be the first {@code rows} values. */
  void fill(FieldVector vector, int rows) {
    RowBits validity = null;
    if (nulls.nextSetBit(0) >= 0) {
      validity = RowBits.allSet(rows);
      for (int row = nulls.nextSetBit(0); row >= 0 && row < rows; row = nulls.nextSetBit(row + 1)) {
        validity.clear(row);
      }
    }
    ArrowColumns.fill(vector, ColumnValues.of(pages, rows, validity), 0, rows);
  }
}
