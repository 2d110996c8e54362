package io.drayage.columnar.kernel;

/** Zig-zag differences of numbers, and their bytes of equal weight; loops that become vectors. */
public final class PlaneKernels {
  private PlaneKernels() {}

  /** Differences of values, the first from {@code before}, in zig-zag; all their bits together. */
  public static int zigZag(int[] values, int count, int before, int[] to) {
    int first = values[0] - before;
    to[0] = (first << 1) ^ (first >> (Integer.SIZE - 1));
    for (int i = 1; i < count; i++) {
      int difference = values[i] - values[i - 1];
      to[i] = (difference << 1) ^ (difference >> (Integer.SIZE - 1));
    }
    int seen = 0;
    for (int i = 0; i < count; i++) {
      seen |= to[i];
    }
    return seen;
  }

  /** The byte of each number from bit {@code shift} on, of what it exceeds a reference by. */
  public static void cut(int[] numbers, int count, int reference, int shift, byte[] plane) {
    for (int i = 0; i < count; i++) {
      plane[i] = (byte) ((numbers[i] - reference) >>> shift);
    }
  }

  /** Replaces values by their zig-zag differences; the last value. */
  public static long zigZag(long[] window, int number, long first, boolean wide) {
    long before = first;
    for (int i = 0; i < number; i++) {
      long value = window[i];
      long difference = wide ? value - before : (int) (value - before);
      window[i] = (difference << 1) ^ (difference >> (Long.SIZE - 1));
      before = value;
    }
    return before;
  }

  /** Makes values of numbers of an order; what the next ones build on. */
  public static long restore(long[] window, int number, int order, long before) {
    if (order == 0) {
      for (int i = 0; i < number; i++) {
        window[i] += before;
      }
      return before;
    }
    long value = before;
    for (int i = 0; i < number; i++) {
      value += (window[i] >>> 1) ^ -(window[i] & 1);
      window[i] = value;
    }
    return value;
  }
}
