package io.drayage.columnar.kernel;

import java.util.Arrays;

/** Cuts numbers into bytes of equal weight, and adds these up again; loops that become vectors. */
public final class PlaneKernels {
  private static final int LOW = 0xFF;

  private PlaneKernels() {}

  /** {@code to[at + i] = values[i] - values[i - 1]}, and {@code values[0] - before} at first. */
  public static void differences(int[] values, int count, int before, int[] to, int at) {
    to[at] = values[0] - before;
    for (int i = 1; i < count; i++) {
      to[at + i] = values[i] - values[i - 1];
    }
  }

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

  /** {@code to[i] = (byte) (bytes[i] - bytes[i - 1])}, and {@code bytes[0] - before} at first. */
  public static void differences(byte[] bytes, int count, byte before, byte[] to) {
    to[0] = (byte) (bytes[0] - before);
    for (int i = 1; i < count; i++) {
      to[i] = (byte) (bytes[i] - bytes[i - 1]);
    }
  }

  /** The byte of each number from bit {@code shift} on, of what it exceeds a reference by. */
  public static void cut(int[] numbers, int count, int reference, int shift, byte[] plane) {
    for (int i = 0; i < count; i++) {
      plane[i] = (byte) ((numbers[i] - reference) >>> shift);
    }
  }

  /**
   * Reverses {@link #cut}.
   *
   * @param planes the first {@code number} of them
   * @param shifts of each
   * @param from where in the planes to begin
   */
  public static void join(
      byte[][] planes,
      int[] shifts,
      int number,
      int from,
      int count,
      int reference,
      int[] numbers) {
    Arrays.fill(numbers, 0, count, reference);
    for (int p = 0; p < number; ) {
      byte[] low = planes[p];
      int shift = shifts[p];
      if (p + 1 < number && shifts[p + 1] == shift + Byte.SIZE) {
        byte[] high = planes[p + 1];
        for (int i = 0; i < count; i++) {
          int both = (low[from + i] & LOW) | (high[from + i] & LOW) << Byte.SIZE;
          numbers[i] += both << shift;
        }
        p += 2;
      } else {
        for (int i = 0; i < count; i++) {
          numbers[i] += (low[from + i] & LOW) << shift;
        }
        p++;
      }
    }
  }

  /** {@code bytes[i] = start + sum over j <= i of (bytes[j] + reference)}. */
  public static void prefixSums(byte[] bytes, int count, int reference, int start) {
    int sum = start;
    for (int i = 0; i < count; i++) {
      sum += bytes[i] + reference;
      bytes[i] = (byte) sum;
    }
  }

  /** Adds a reference to bytes. */
  public static void add(byte[] bytes, int count, byte reference) {
    for (int i = 0; i < count; i++) {
      bytes[i] += reference;
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
