package io.drayage.bench.cargoes;

import java.util.SplittableRandom;

/**
 * A random generator for each page of each column, so that a page has the same values independent
 * of the thread that fills it, and of the order.
 */
final class PageSeeds {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private PageSeeds() {}

  /** The generator of one page. {@code column} is any number that only this column has. */
  static SplittableRandom of(long seed, int table, int column, int page) {
    return new SplittableRandom(mix(mix(mix(seed) + table) + column) + page);
  }

  /** The generator of what belongs to a whole table or cargo. */
  static SplittableRandom of(long seed, int purpose) {
    return new SplittableRandom(mix(mix(seed) - purpose));
  }

  /** The finalizer of SplitMix64, after a step of its sequence: neighbours end far apart. */
  private static long mix(long value) {
    long z = value + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
