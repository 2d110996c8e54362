package io.drayage.arrow;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.PageSource;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** Copies pages out of a vector that nobody changes. Thread-safe. */
record ViewedVector(FieldVector vector, ColumnType type) implements PageSource {
  @Override
  public Object page(int page) {
    Object made = make(page);
    return made instanceof Latin1Texts texts ? texts.toStrings() : made;
  }

  @Override
  public @Nullable Latin1Texts texts(int page) {
    return type == ColumnType.STRING && make(page) instanceof Latin1Texts texts ? texts : null;
  }

  private Object make(int page) {
    int first = page * ColumnValues.DEFAULT_ROWS_PER_PAGE;
    int rows = Math.min(ColumnValues.DEFAULT_ROWS_PER_PAGE, vector.getValueCount() - first);
    VectorPage made = new VectorPage(type, first, rows, 0);
    made.append(vector, first, rows);
    return made.page();
  }
}
