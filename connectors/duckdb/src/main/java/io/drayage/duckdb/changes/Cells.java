package io.drayage.duckdb.changes;

import io.drayage.arrow.ArrowColumns;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextBuilder;
import java.lang.reflect.Array;
import java.util.BitSet;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** The values of one column of a batch, set row by row. Not thread-safe. */
final class Cells {
  private final ColumnType type;

  /** One: what a column is made of. */
  private final Object[] pages;

  private final TextBuilder texts = new TextBuilder();

  /** What stands in the place of a null. */
  private final Object zero;

  private final BitSet nulls = new BitSet();

  Cells(Field field, int rows) {
    this.type = ArrowColumns.type(field);
    this.pages = (Object[]) Array.newInstance(type.pageClass(), 1);
    pages[0] = type.newPage(rows);
    this.zero = type == ColumnType.STRING ? "" : Array.get(type.newPage(1), 0);
  }

  /** Sets the value of the next row. */
  void set(int row, @Nullable Object value) {
    // Nothing of the batch before stays: the same changes are the same bytes.
    Object set = value == null ? zero : value;
    nulls.set(row, value == null);
    if (type == ColumnType.STRING) {
      texts.add((String) set);
    } else {
      Array.set(pages[0], row, set);
    }
  }

  /** Has a vector be the first {@code rows} values, which are all texts that were set. */
  void fill(FieldVector vector, int rows) {
    if (type == ColumnType.STRING) {
      pages[0] = texts.build();
    }
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
