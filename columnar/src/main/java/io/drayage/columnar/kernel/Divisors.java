package io.drayage.columnar.kernel;

/** Common divisors, and what divides exactly by one. */
public final class Divisors {
  private Divisors() {}

  /** What all differences from the first value are multiples of; 0 if there are none but 0. */
  public static long common(long[] values, int count, boolean wide) {
    long common = 0;
    for (int i = 1; i < count && common != 1; i++) {
      long difference = values[i] - values[0];
      long other = Math.abs(wide ? difference : (int) difference);
      // By Euclid's algorithm; mostly a single remainder.
      while (common != 0) {
        long rest = other % common;
        other = common;
        common = rest;
      }
      common = other;
    }
    return common;
  }

  /** The inverse of an odd number modulo 2^64: each step doubles the bits that are right. */
  public static long inverse(long odd) {
    long inverse = odd; // three bits
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
