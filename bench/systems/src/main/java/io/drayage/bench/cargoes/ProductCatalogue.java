package io.drayage.bench.cargoes;

import java.util.SplittableRandom;

/**
 * The products of a retailer, each planned by week in each store, and what they sell for: the few
 * hundred price points of a shop, most of them low. Immutable.
 *
 * <p>Rows of a planning table go by store, then product, then week: {@link #product} and the others
 * tell them from a row's number.
 */
final class ProductCatalogue {
  /** A large drugstore's. */
  static final int PRODUCTS = 20_000;

  /** A plan is made for a year. */
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

  /** Below 10 a price ends in 9 cents, above in 99. */
  private static int pricePoint(int cents) {
    int step = cents < 1_000 ? 10 : 100;
    return cents - cents % step + step - 1;
  }

  static short week(long row) {
    return (short) (row % WEEKS);
  }

  /** The number of the product that row {@code row} plans. */
  static long product(long row) {
    return FIRST_PRODUCT + index(row);
  }

  static short store(long row) {
    return (short) (row / WEEKS / PRODUCTS);
  }

  private static int index(long row) {
    return (int) (row / WEEKS % PRODUCTS);
  }

  /** What {@code units} of the product of row {@code row} sell for, rounded to cents. */
  double revenue(long row, int units) {
    return (long) units * priceCents[index(row)] / 100.0;
  }
}
