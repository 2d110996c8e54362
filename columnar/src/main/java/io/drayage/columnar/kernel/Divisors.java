package io.drayage.columnar.kernel;

/** Common divisors, and exact division. */
public final class Divisors {
  private Divisors() {}

  /** Returns the greatest common divisor of all differences from the first value, or 0. */
  public static long common(long[] values, int count, boolean wide) {
    long common = 0;
    for (int i = 1; i < count && common != 1; i++) {
      long difference = values[i] - values[0];
      long other = Math.abs(wide ? difference : (int) difference);
      // Euclid's algorithm; mostly a single remainder.
      while (common != 0) {
        long rest = other % common;
        other = common;
        common = rest;
      }
      common = other;
    }
    return common;
  }

  /** Returns the inverse of an odd number modulo 2^64: each step doubles the correct bits. */
  public static long inverse(long odd) {
    long inverse = odd; // three bits
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
