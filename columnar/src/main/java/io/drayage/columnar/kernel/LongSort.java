package io.drayage.columnar.kernel;

import java.util.Arrays;

/**
 * Sorts some thousand longs by their bytes, lowest first. It has as many passes as the range of the
 * values has bytes, and no branch that a CPU could mispredict. Not thread-safe.
 */
public final class LongSort {
  private static final int VALUES_OF_BYTE = 1 << Byte.SIZE;
  private static final int MASK = VALUES_OF_BYTE - 1;

  private final int[] places = new int[VALUES_OF_BYTE];
  private long[] other = new long[0];

  /** Sorts the first {@code count} values, signed, ascending. */
  public void sort(long[] values, int count) {
    if (count == 0) {
      return;
    }
    if (other.length < count) {
      other = new long[count];
    }
    long least = values[0];
    long most = values[0];
    boolean ascending = true;
    for (int i = 1; i < count; i++) {
      ascending &= values[i - 1] <= values[i];
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
    }
    if (ascending) {
      return;
    }
    // For longs more than 2^63 apart, the difference is also right, as an unsigned number.
    int bits = Bits.width(most - least);
    long[] from = values;
    long[] to = other;
    for (int shift = 0; shift < bits; shift += Byte.SIZE) {
      move(from, count, least, shift, to);
      long[] moved = to;
      to = from;
      from = moved;
    }
    if (from != values) {
      System.arraycopy(from, 0, values, 0, count);
    }
  }

  private void move(long[] from, int count, long least, int shift, long[] to) {
    Arrays.fill(places, 0);
    for (int i = 0; i < count; i++) {
      places[(int) ((from[i] - least) >>> shift) & MASK]++;
    }
    int at = 0;
    for (int b = 0; b < VALUES_OF_BYTE; b++) {
      int number = places[b];
      places[b] = at;
      at += number;
    }
    for (int i = 0; i < count; i++) {
      long value = from[i];
      to[places[(int) ((value - least) >>> shift) & MASK]++] = value;
    }
  }
}
