package io.drayage.bench.cargoes;

import static io.drayage.cargo.ColumnType.BYTE;
import static io.drayage.cargo.ColumnType.DOUBLE;
import static io.drayage.cargo.ColumnType.INT;
import static io.drayage.cargo.ColumnType.LONG;
import static io.drayage.cargo.ColumnType.SHORT;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.LongToDoubleFunction;

/**
 * A column of a planning table, which plans one product in one store and week in each row: 58 bytes
 * to an inserted row.
 *
 * <p>The distribution of its values decides the compression ratio of a cargo. It was fitted to the
 * study's sizes, see {@code docs/measuring.md}.
 *
 * @param number makes the column's random values different from those of other columns
 * @param schema name and type
 * @param values makes the values of some rows of one page, by their place among them; every value
 *     is exact as a double
 */
record PlanColumn(int number, ColumnSchema schema, Function<PageRows, IntToDoubleFunction> values) {
  /**
   * The rows of a page.
   *
   * @param row the row's number, by its place in the page
   * @param count number of rows
   * @param random makes the same numbers for the page each time
   */
  record PageRows(
      IntToLongFunction row, int count, SplittableRandom random, ProductCatalogue catalogue) {}

  /** Added to the generator number of a column for its updates. */
  private static final int UPDATED_VALUES = 100;

  private static final int UPDATED_ROW_IDS = 200;

  private static final int QUANTITY = 3;
  private static final int REVENUE = 5;

  /** The columns of inserted rows. */
  static final List<PlanColumn> INSERTED =
      List.of(
          place(0, "product", LONG, ProductCatalogue::product),
          place(1, "store", SHORT, ProductCatalogue::store),
          place(2, "week", SHORT, ProductCatalogue::week),
          // Planned units; planners often copy the week before.
          numbers(QUANTITY, "quantity", DOUBLE, 40, 0.6),
          new PlanColumn(4, column("price", DOUBLE), rows -> at -> revenue(rows, at, 1)),
          // Units of a forecast, or sold a year ago: every week differs.
          revenues(REVENUE, "revenue", 24, 0),
          revenues(6, "revenue_last_year", 24, 0),
          // Units to keep in stock, which change with the season.
          numbers(7, "stock", INT, 120, 0.9),
          numbers(8, "ordered", INT, 120, 0.95),
          // Expected customers.
          numbers(9, "customers", SHORT, 120, 0.5),
          numbers(10, "shelf_cm", SHORT, 250, 0.9),
          // Per cent of the price, and the number of its campaign.
          numbers(11, "discount", BYTE, 90, 0.9),
          numbers(12, "campaign", BYTE, 90, 0.95));

  /**
   * The columns of updates, one of the two in each updated row: 16 bytes with the row id, so that
   * an insert and an update have 37 on average. Updated values vary less than inserted ones,
   * because a planner sets many weeks to one number.
   */
  static final List<PlanColumn> UPDATED =
      List.of(
          numbers(UPDATED_VALUES + QUANTITY, "quantity", DOUBLE, 40, 0.75),
          revenues(UPDATED_VALUES + REVENUE, "revenue", 6, 0.9));

  static final int INSERTED_ROW_BYTES =
      INSERTED.stream().mapToInt(column -> column.schema().type().widthBytes()).sum();

  /** Returns the generator number of an updated column's row ids. */
  int rowIdsNumber() {
    return number + UPDATED_ROW_IDS - UPDATED_VALUES;
  }

  private static ColumnSchema column(String name, ColumnType type) {
    return new ColumnSchema(name, type, false);
  }

  private static PlanColumn place(
      int number, String name, ColumnType type, LongToDoubleFunction of) {
    return new PlanColumn(
        number, column(name, type), rows -> at -> of.applyAsDouble(rows.row().applyAsLong(at)));
  }

  private static PlanColumn numbers(
      int number, String name, ColumnType type, int largest, double repeated) {
    return new PlanColumn(
        number,
        column(name, type),
        rows -> {
          int[] numbers = numbers(rows, largest, repeated);
          return at -> numbers[at];
        });
  }

  private static PlanColumn revenues(int number, String name, int largestUnits, double repeated) {
    return new PlanColumn(
        number,
        column(name, DOUBLE),
        rows -> {
          int[] units = numbers(rows, largestUnits, repeated);
          return at -> revenue(rows, at, units[at]);
        });
  }

  private static double revenue(PageRows rows, int at, int units) {
    return rows.catalogue().revenue(rows.row().applyAsLong(at), units);
  }

  /**
   * Makes whole numbers from 1 on, small ones more often: the median is a quarter of the largest.
   *
   * @param repeated probability that a row has the number of the row before it, 0 to 1
   */
  private static int[] numbers(PageRows rows, int largest, double repeated) {
    int[] numbers = new int[rows.count()];
    int number = 0;
    for (int i = 0; i < numbers.length; i++) {
      if (i == 0 || rows.random().nextDouble() >= repeated) {
        double even = rows.random().nextDouble();
        number = 1 + (int) (largest * even * even);
      }
      numbers[i] = number;
    }
    return numbers;
  }
}
