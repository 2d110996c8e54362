package io.drayage.bench.cargo;

import java.util.SplittableRandom;

/**
 * The products of a retailer: what each sells for and what it costs. Prices are the few hundred
 * price points of a shop, most of them low; a few products make most of the sales. Immutable.
 */
final class ProductCatalogue {
  /** Far more products than a byte can count, few enough to stay in a processor's cache. */
  static final int PRODUCTS = 20_000;

  private static final int PURPOSE = 1;
  private static final int MIN_PRICE_CENTS = 49;
  private static final double MAX_OVER_MIN_PRICE = 500;

  private final int[] priceCents = new int[PRODUCTS];
  private final int[] costCents = new int[PRODUCTS];

  ProductCatalogue(long seed) {
    SplittableRandom random = PageSeeds.of(seed, PURPOSE);
    for (int product = 0; product < PRODUCTS; product++) {
      int cents = (int) (MIN_PRICE_CENTS * StrictMath.pow(MAX_OVER_MIN_PRICE, random.nextDouble()));
      priceCents[product] = pricePoint(cents);
      costCents[product] = priceCents[product] * (8 + random.nextInt(8)) / 20;
    }
  }

  /** Below 10 a price ends in 9 cents, above in 99. */
  private static int pricePoint(int cents) {
    int step = cents < 1_000 ? 10 : 100;
    return cents - cents % step + step - 1;
  }

  /** A product, the popular ones more often: the lowest eighth makes half of the sales. */
  static int pick(SplittableRandom random) {
    return skewed(random, PRODUCTS);
  }

  /** 0 to {@code bound - 1}, low numbers more often: the third power of an even distribution. */
  static int skewed(SplittableRandom random, int bound) {
    double even = random.nextDouble();
    return (int) (bound * even * even * even);
  }

  /** What a product sells for, rounded to cents. */
  double price(int product, boolean promoted) {
    int cents = priceCents[product];
    return (promoted ? cents * 4 / 5 : cents) / 100.0;
  }

  /** What a product costs, rounded to cents. */
  double cost(int product) {
    return costCents[product] / 100.0;
  }
}
