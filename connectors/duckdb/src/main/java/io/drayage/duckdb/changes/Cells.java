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

  /** An array of one page, as columns are made of arrays of pages. */
  private final Object[] pages;

  private final TextBuilder texts = new TextBuilder();

  /** The value in the place of a null. */
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
    // No value of the last batch stays, so that equal changes have equal bytes.
    Object set = value == null ? zero : value;
    nulls.set(row, value == null);
    if (type == ColumnType.STRING) {
      texts.add((String) set);
    } else {
      Array.set(pages[0], row, set);
    }
  }

  /** Fills a vector with the first {@code rows} values. Each text among them must have been set. */
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
