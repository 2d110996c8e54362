package io.drayage.arrow;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PageSource;
import org.apache.arrow.vector.FieldVector;

/** Copies pages out of a vector that must not change. Thread-safe. */
record ViewedVector(FieldVector vector, ColumnType type) implements PageSource {
  @Override
  public Object page(int page) {
    int first = page * ColumnValues.DEFAULT_ROWS_PER_PAGE;
    int rows = Math.min(ColumnValues.DEFAULT_ROWS_PER_PAGE, vector.getValueCount() - first);
    VectorPage made = new VectorPage(type, first, rows, 0);
    made.append(vector, first, rows);
    return made.page();
  }
}
