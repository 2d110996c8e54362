package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnValues;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Fills the inserted rows of a planning table: store by store, product by product, week by week.
 *
 * <p>The habits of the columns decide how well a cargo can be compressed; they were fitted to the
 * study's sizes, see {@code docs/thesis-cargo.md}.
 */
final class PlanInserts {
  /** Planned units; planners often copy the week before. */
  private static final Habit QUANTITY = new Habit(40, 0.6);

  /** Units that are forecast to be sold, or were sold a year ago: no week is like the other. */
  private static final Habit UNITS_SOLD = new Habit(24, 0);

  /** Units to keep in stock: changed when the season does. */
  private static final Habit STOCK = new Habit(120, 0.9);

  private static final Habit ORDERED = new Habit(120, 0.95);

  /** Customers expected to buy. */
  private static final Habit CUSTOMERS = new Habit(120, 0.5);

  private static final Habit SHELF_CM = new Habit(250, 0.9);

  /** Per cent of the price. */
  private static final Habit DISCOUNT = new Habit(90, 0.9);

  /** Number of the campaign that the discount belongs to. */
  private static final Habit CAMPAIGN = new Habit(90, 0.95);

  private final long seed;
  private final int table;
  private final ProductCatalogue catalogue;
  private final long rows;

  PlanInserts(long seed, int table, ProductCatalogue catalogue, long rows) {
    this.seed = seed;
    this.table = table;
    this.catalogue = catalogue;
    this.rows = rows;
  }

  /** All columns, filled by the common pool. */
  List<ColumnValues> fill() {
    List<WholePages> columns =
        PlanColumns.ALL.stream().map(column -> new WholePages(column.type(), rows)).toList();
    IntStream.range(0, WholePages.count(rows))
        .parallel()
        .forEach(
            page -> {
              for (int column = 0; column < columns.size(); column++) {
                fillPage(columns.get(column).make(page), column, page);
              }
            });
    return columns.stream().map(WholePages::toColumn).toList();
  }

  /** Column {@code column}, whose pages are made on demand, with the same values. */
  ColumnValues onDemand(int column, LongConsumer madeBytes) {
    return WholePages.onDemand(
        PlanColumns.ALL.get(column).type(),
        rows,
        (values, page) -> fillPage(values, column, page),
        madeBytes);
  }

  private void fillPage(Object values, int column, int page) {
    int count = WholePages.rowsIn(page, rows);
    long firstRow = (long) page * ColumnValues.DEFAULT_ROWS_PER_PAGE;
    SplittableRandom random = PageSeeds.of(seed, table, column, page);
    switch (column) {
      case PlanColumns.PRODUCT -> fillProducts((long[]) values, firstRow, count);
      case PlanColumns.STORE -> fillStores((short[]) values, firstRow, count);
      case PlanColumns.WEEK -> fillWeeks((short[]) values, firstRow, count);
      case PlanColumns.PRICE -> fillPrices((double[]) values, firstRow, count);
      case PlanColumns.REVENUE, PlanColumns.REVENUE_LAST_YEAR ->
          fillRevenues((double[]) values, firstRow, UNITS_SOLD.numbers(count, random));
      default -> copy(habit(column).numbers(count, random), values);
    }
  }

  private static Habit habit(int column) {
    return switch (column) {
      case PlanColumns.QUANTITY -> QUANTITY;
      case PlanColumns.STOCK -> STOCK;
      case PlanColumns.ORDERED -> ORDERED;
      case PlanColumns.CUSTOMERS -> CUSTOMERS;
      case PlanColumns.SHELF -> SHELF_CM;
      case PlanColumns.DISCOUNT -> DISCOUNT;
      case PlanColumns.CAMPAIGN -> CAMPAIGN;
      default -> throw new AssertionError("column %d has no habit".formatted(column));
    };
  }

  private static void fillProducts(long[] products, long firstRow, int count) {
    for (int i = 0; i < count; i++) {
      products[i] = ProductCatalogue.product(firstRow + i);
    }
  }

  private static void fillStores(short[] stores, long firstRow, int count) {
    for (int i = 0; i < count; i++) {
      stores[i] = ProductCatalogue.store(firstRow + i);
    }
  }

  private static void fillWeeks(short[] weeks, long firstRow, int count) {
    for (int i = 0; i < count; i++) {
      weeks[i] = ProductCatalogue.week(firstRow + i);
    }
  }

  private void fillPrices(double[] prices, long firstRow, int count) {
    for (int i = 0; i < count; i++) {
      prices[i] = catalogue.revenue(firstRow + i, 1);
    }
  }

  private void fillRevenues(double[] revenues, long firstRow, int[] units) {
    for (int i = 0; i < units.length; i++) {
      revenues[i] = catalogue.revenue(firstRow + i, units[i]);
    }
  }

  /** Copies numbers into a page of any numeric type that they fit. */
  private static void copy(int[] numbers, Object values) {
    for (int i = 0; i < numbers.length; i++) {
      if (values instanceof double[] doubles) {
        doubles[i] = numbers[i];
      } else if (values instanceof int[] ints) {
        ints[i] = numbers[i];
      } else if (values instanceof short[] shorts) {
        shorts[i] = (short) numbers[i];
      } else {
        ((byte[]) values)[i] = (byte) numbers[i];
      }
    }
  }
}
