package io.drayage.bench.cargo;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.util.List;
import java.util.stream.IntStream;

/** The columns of a planning table: 37 bytes to a row. */
final class PlanColumns {
  static final int ID = 0;
  static final int PRODUCT = 1;
  static final int STORE = 2;
  static final int DAY = 3;
  static final int QUANTITY = 4;
  static final int PRICE = 5;
  static final int COST = 6;
  static final int STATUS = 7;

  /** By the numbers above. */
  static final List<BaseColumn> ALL =
      List.of(
          new BaseColumn("id", ColumnType.LONG, false),
          new BaseColumn("product", ColumnType.INT, false),
          new BaseColumn("store", ColumnType.SHORT, false),
          new BaseColumn("day", ColumnType.SHORT, false),
          new BaseColumn("quantity", ColumnType.INT, false),
          new BaseColumn("price", ColumnType.DOUBLE, false),
          new BaseColumn("cost", ColumnType.DOUBLE, false),
          new BaseColumn("status", ColumnType.BYTE, false));

  /** The columns that updates change: with 8 bytes of row id each, 37 bytes to a row as well. */
  static final List<Integer> UPDATED = List.of(QUANTITY, PRICE, STATUS);

  private PlanColumns() {}

  /** Columns of {@code rows} rows, to be filled. */
  static ColumnValues[] allocate(List<Integer> columns, long rows) {
    return columns.stream()
        .map(column -> ColumnValues.allocate(ALL.get(column).type(), rows, false))
        .toArray(ColumnValues[]::new);
  }

  static List<Integer> all() {
    return IntStream.range(0, ALL.size()).boxed().toList();
  }
}
