package io.drayage.store;

import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.store.column.StoredTable;
import io.drayage.testing.Repaging;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Makes columns out of boxed values. */
public final class Columns {
  private Columns() {}

  /** A column of one page. */
  static ColumnValues of(ColumnType type, @Nullable Object... values) {
    return paged(type, Math.max(1, values.length), Arrays.asList(values));
  }

  /** A column of longs, for row ids. */
  public static ColumnValues rows(long... rows) {
    return rows.length == 0
        ? ColumnValues.allocate(ColumnType.LONG, 0, false)
        : ColumnValues.of(new long[][] {rows});
  }

  /** A column in pages of {@code rowsPerPage}, with validity bits if a value is null. */
  static ColumnValues paged(ColumnType type, int rowsPerPage, List<@Nullable Object> values) {
    ColumnBuilder builder = new ColumnBuilder(type);
    values.forEach(builder::add);
    return Repaging.of(builder.build(), rowsPerPage);
  }

  static RowBits bits(long size, long... rows) {
    RowBits bits = new RowBits(size);
    for (long row : rows) {
      bits.set(row);
    }
    return bits;
  }

  /** A value of the type, never null. */
  static Object randomValue(ColumnType type, SplittableRandom random) {
    return switch (type) {
      case BOOLEAN -> random.nextBoolean();
      case BYTE -> (byte) random.nextInt();
      case SHORT -> (short) random.nextInt();
      case INT -> random.nextInt();
      case LONG -> random.nextLong();
      case FLOAT -> (float) random.nextInt(1_000_000) / 16;
      case DOUBLE -> random.nextInt() / 64.0;
      case STRING -> "s" + random.nextInt(1_000);
    };
  }

  /** All values of a column of a table. */
  public static List<@Nullable Object> valuesOf(StoredTable table, String column) {
    List<@Nullable Object> values = new ArrayList<>();
    for (long row = 0; row < table.rowCount(); row++) {
      values.add(table.get(column, row));
    }
    return values;
  }
}
