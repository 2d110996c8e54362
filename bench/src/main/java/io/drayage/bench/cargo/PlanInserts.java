package io.drayage.bench.cargo;

import io.drayage.cargo.ColumnValues;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Fills the inserted rows of a planning table: sorted by day, in runs of one store, a skewed choice
 * of products in each, prices and costs from the catalogue.
 */
final class PlanInserts {
  /** Days of the plan, two years; the first is 1 January 2026 in days since 1970. */
  private static final int DAYS = 728;

  private static final int FIRST_DAY = 20_454;
  private static final int STORES = 400;
  private static final int MIN_STORE_RUN = 20;
  private static final int MAX_STORE_RUN = 220;

  /** One row in this many is a promotion. */
  private static final int PROMOTION_EVERY = 12;

  private static final byte PLANNED = 0;
  private static final byte PROMOTED = 3;

  private final long seed;
  private final int table;
  private final ProductCatalogue catalogue;
  private final long firstId;
  private final long rows;

  /** The inserted rows get ids from {@code firstId} on. */
  PlanInserts(long seed, int table, ProductCatalogue catalogue, long firstId, long rows) {
    this.seed = seed;
    this.table = table;
    this.catalogue = catalogue;
    this.firstId = firstId;
    this.rows = rows;
  }

  /** All columns, filled by the common pool. */
  ColumnValues[] fill() {
    ColumnValues[] columns = PlanColumns.allocate(PlanColumns.all(), rows);
    IntStream.range(0, columns[0].pageCount()).parallel().forEach(page -> fillPage(columns, page));
    return columns;
  }

  private void fillPage(ColumnValues[] columns, int page) {
    RowIdRuns.fill(
        (long[]) columns[PlanColumns.ID].pageForWrite(page),
        page,
        firstId,
        random(PlanColumns.ID, page));
    fillDays((short[]) columns[PlanColumns.DAY].pageForWrite(page), page);
    fillStores(
        (short[]) columns[PlanColumns.STORE].pageForWrite(page), random(PlanColumns.STORE, page));
    fillQuantities(
        (int[]) columns[PlanColumns.QUANTITY].pageForWrite(page),
        random(PlanColumns.QUANTITY, page));
    int[] products = (int[]) columns[PlanColumns.PRODUCT].pageForWrite(page);
    byte[] status = (byte[]) columns[PlanColumns.STATUS].pageForWrite(page);
    fillProducts(products, random(PlanColumns.PRODUCT, page));
    fillStatus(status, random(PlanColumns.STATUS, page));
    fillPrices((double[]) columns[PlanColumns.PRICE].pageForWrite(page), products, status);
    fillCosts((double[]) columns[PlanColumns.COST].pageForWrite(page), products);
  }

  private SplittableRandom random(int column, int page) {
    return PageSeeds.of(seed, table, column, page);
  }

  private void fillDays(short[] days, int page) {
    long firstRow = (long) page * ColumnValues.DEFAULT_ROWS_PER_PAGE;
    for (int i = 0; i < days.length; i++) {
      days[i] = (short) (FIRST_DAY + (firstRow + i) * DAYS / rows);
    }
  }

  private static void fillStores(short[] stores, SplittableRandom random) {
    int i = 0;
    while (i < stores.length) {
      short store = (short) ProductCatalogue.skewed(random, STORES);
      int end = Math.min(stores.length, i + random.nextInt(MIN_STORE_RUN, MAX_STORE_RUN));
      while (i < end) {
        stores[i++] = store;
      }
    }
  }

  static void fillQuantities(int[] quantities, SplittableRandom random) {
    for (int i = 0; i < quantities.length; i++) {
      // As often 1 as all larger ones together, then 2, and so on: small orders prevail.
      quantities[i] = 1 + Long.numberOfTrailingZeros(random.nextLong());
    }
  }

  private static void fillProducts(int[] products, SplittableRandom random) {
    for (int i = 0; i < products.length; i++) {
      products[i] = ProductCatalogue.pick(random);
    }
  }

  private static void fillStatus(byte[] status, SplittableRandom random) {
    for (int i = 0; i < status.length; i++) {
      status[i] = random.nextInt(PROMOTION_EVERY) == 0 ? PROMOTED : PLANNED;
    }
  }

  private void fillPrices(double[] prices, int[] products, byte[] status) {
    for (int i = 0; i < prices.length; i++) {
      prices[i] = catalogue.price(products[i], status[i] == PROMOTED);
    }
  }

  private void fillCosts(double[] costs, int[] products) {
    for (int i = 0; i < costs.length; i++) {
      costs[i] = catalogue.cost(products[i]);
    }
  }
}
