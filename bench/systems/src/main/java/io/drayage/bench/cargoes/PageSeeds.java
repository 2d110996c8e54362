package io.drayage.bench.cargoes;

import java.util.SplittableRandom;

/**
 * A random generator for each page of each column. So the values of a page do not depend on the
 * thread that fills it, or on the order.
 */
final class PageSeeds {
  private PageSeeds() {}

  /** Returns the generator of one page. {@code column} is any number that only this column has. */
  static SplittableRandom of(long seed, int table, int column, int page) {
    return new SplittableRandom(mix(mix(mix(seed) + table) + column) + page);
  }

  /** Returns the generator for values of a whole table or cargo. */
  static SplittableRandom of(long seed, int purpose) {
    return new SplittableRandom(mix(mix(seed) - purpose));
  }

  /** Returns the next number of SplitMix64's sequence: neighbours end far apart. */
  private static long mix(long value) {
    return new SplittableRandom(value).nextLong();
  }
}
