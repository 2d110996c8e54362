package io.drayage.store.column;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** Creates and copies pages of values. */
public final class Pages {
  private Pages() {}

  /** An array for {@code count} pages, all null: an {@code int[count][]} for ints. */
  static @Nullable Object[] table(ColumnType type, int count) {
    return (Object[]) Array.newInstance(type.pageClass(), count);
  }

  /** The boxed default value. */
  public static Object defaultValue(ColumnType type) {
    return type.get(type.newPage(1), 0);
  }

  /** A copy of the first {@code rows} values; the page may have spare capacity after them. */
  public static Object copyOf(Object page, int rows) {
    if (page instanceof TextPage texts) {
      return texts.copyOf(rows);
    }
    Object copy = Array.newInstance(page.getClass().getComponentType(), rows);
    System.arraycopy(page, 0, copy, 0, rows);
    return copy;
  }

  /** The validity bits of a column; null if no value is null. */
  static @Nullable RowBits nullsOf(ColumnValues values) {
    RowBits validity = values.validity();
    return validity == null || validity.cardinality() == validity.size() ? null : validity;
  }
}
