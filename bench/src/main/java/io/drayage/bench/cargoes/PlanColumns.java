package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnType;
import java.util.List;

/**
 * The columns of a planning table: 58 bytes to an inserted row. A row plans one product in one
 * store and week.
 */
final class PlanColumns {
  static final int PRODUCT = 0;
  static final int STORE = 1;
  static final int WEEK = 2;
  static final int QUANTITY = 3;
  static final int PRICE = 4;
  static final int REVENUE = 5;
  static final int REVENUE_LAST_YEAR = 6;
  static final int STOCK = 7;
  static final int ORDERED = 8;
  static final int CUSTOMERS = 9;
  static final int SHELF = 10;
  static final int DISCOUNT = 11;
  static final int CAMPAIGN = 12;

  /** By the numbers above. */
  static final List<BaseColumn> ALL =
      List.of(
          new BaseColumn("product", ColumnType.LONG, false),
          new BaseColumn("store", ColumnType.SHORT, false),
          new BaseColumn("week", ColumnType.SHORT, false),
          new BaseColumn("quantity", ColumnType.DOUBLE, false),
          new BaseColumn("price", ColumnType.DOUBLE, false),
          new BaseColumn("revenue", ColumnType.DOUBLE, false),
          new BaseColumn("revenue_last_year", ColumnType.DOUBLE, false),
          new BaseColumn("stock", ColumnType.INT, false),
          new BaseColumn("ordered", ColumnType.INT, false),
          new BaseColumn("customers", ColumnType.SHORT, false),
          new BaseColumn("shelf_cm", ColumnType.SHORT, false),
          new BaseColumn("discount", ColumnType.BYTE, false),
          new BaseColumn("campaign", ColumnType.BYTE, false));

  /**
   * The columns that updates change, one of them in each updated row: 16 bytes with the row id. So
   * an insert and an update take 37 on average.
   */
  static final List<Integer> UPDATED = List.of(QUANTITY, REVENUE);

  /** Raw bytes of an inserted row. */
  static final int INSERTED_ROW_BYTES =
      ALL.stream().mapToInt(column -> column.type().widthBytes()).sum();

  private PlanColumns() {}
}
