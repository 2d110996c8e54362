package io.drayage.bench.cargoes;

import java.util.SplittableRandom;

/**
 * The products of a retailer, each planned by week in each store, with their prices: the few
 * hundred price points of a shop, most of them low. Immutable.
 *
 * <p>Rows of a planning table are ordered by store, product and week. {@link #product} and the
 * other methods derive these from a row's number.
 */
final class ProductCatalogue {
  /** The number of products of a large drugstore. */
  static final int PRODUCTS = 20_000;

  /** The weeks of a plan: one year. */
  static final int WEEKS = 52;

  /** Product numbers have five digits. */
  private static final long FIRST_PRODUCT = 10_000;

  private static final int PURPOSE = 1;
  private static final int MIN_PRICE_CENTS = 49;
  private static final double MAX_OVER_MIN_PRICE = 500;

  private final int[] priceCents = new int[PRODUCTS];

  ProductCatalogue(long seed) {
    SplittableRandom random = PageSeeds.of(seed, PURPOSE);
    for (int product = 0; product < PRODUCTS; product++) {
      int cents = (int) (MIN_PRICE_CENTS * StrictMath.pow(MAX_OVER_MIN_PRICE, random.nextDouble()));
      priceCents[product] = pricePoint(cents);
    }
  }

  /** Returns a price that ends in 9 cents below 10, and in 99 cents above. */
  private static int pricePoint(int cents) {
    int step = cents < 1_000 ? 10 : 100;
    return cents - cents % step + step - 1;
  }

  static short week(long row) {
    return (short) (row % WEEKS);
  }

  /** Returns the number of the product in row {@code row}. */
  static long product(long row) {
    return FIRST_PRODUCT + index(row);
  }

  static short store(long row) {
    return (short) (row / WEEKS / PRODUCTS);
  }

  private static int index(long row) {
    return (int) (row / WEEKS % PRODUCTS);
  }

  /** Returns the price of {@code units} of the product in row {@code row}, rounded to cents. */
  double revenue(long row, int units) {
    return (long) units * priceCents[index(row)] / 100.0;
  }
}
