package io.drayage.bench.cargoes;

import java.util.SplittableRandom;

/**
 * A random generator for each page of each column. So the values of a page do not depend on the
 * thread that fills it, or on the order.
 */
final class PageSeeds {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private PageSeeds() {}

  /** Returns the generator of one page. {@code column} is any number that only this column has. */
  static SplittableRandom of(long seed, int table, int column, int page) {
    return new SplittableRandom(mix(mix(mix(seed) + table) + column) + page);
  }

  /** Returns the generator for values of a whole table or cargo. */
  static SplittableRandom of(long seed, int purpose) {
    return new SplittableRandom(mix(mix(seed) - purpose));
  }

  /** Applies the finalizer of SplitMix64 after a step of its sequence: neighbours end far apart. */
  private static long mix(long value) {
    long z = value + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
