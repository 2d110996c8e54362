package io.drayage.columnar.kernel;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts numbers into their bytes and puts bytes of equal weight together, the lowest first: plane
 * {@code p} of {@code count} numbers has byte {@code p} of each. Not thread-safe.
 */
public final class BytePlanes {
  /** Maximum bytes of a number. */
  public static final int MAX_PLANES = Long.BYTES;

  private static final int WINDOW = MiniBlock.VALUES;

  private final byte[] plane = new byte[WINDOW];
  private final int[] half = new int[WINDOW];

  /** Number of planes for numbers of so many bits. */
  public static int planes(int width) {
    return (width + Byte.SIZE - 1) / Byte.SIZE;
  }

  /**
   * Puts the bytes of some numbers into their planes.
   *
   * @param numbers at most 1,024 of them
   * @param from the index of the first one among all
   * @param to has {@code planes} bytes for each of all numbers; written by index
   */
  public void split(long[] numbers, int from, int number, int planes, ByteBuffer to) {
    int count = planes == 0 ? 0 : to.limit() / planes;
    for (int first = 0; first < planes; first += Integer.BYTES) {
      int shift = first * Byte.SIZE;
      for (int i = 0; i < number; i++) {
        half[i] = (int) (numbers[i] >>> shift);
      }
      int some = Math.min(Integer.BYTES, planes - first);
      split(half, number, some, first * count + from, count, to);
    }
  }

  /** Puts the bytes of some numbers of 32 bits into their planes. */
  public void split(int[] numbers, int from, int number, int planes, ByteBuffer to) {
    split(numbers, number, planes, from, planes == 0 ? 0 : to.limit() / planes, to);
  }

  private void split(int[] numbers, int number, int planes, int at, int count, ByteBuffer to) {
    for (int p = 0; p < planes; p++) {
      cut(numbers, number, p * Byte.SIZE, plane);
      to.put(p * count + at, plane, 0, number);
    }
  }

  /** Cuts the byte from bit {@code shift} on out of each number; compiled to vectors. */
  private static void cut(int[] numbers, int count, int shift, byte[] plane) {
    for (int i = 0; i < count; i++) {
      plane[i] = (byte) (numbers[i] >>> shift);
    }
  }

  /** Joins the planes of {@link #split} into numbers. */
  public void join(ByteBuffer source, int planes, int from, int number, long[] numbers) {
    int count = planes == 0 ? 0 : source.limit() / planes;
    if (planes == 0) {
      Arrays.fill(numbers, 0, number, 0);
    }
    for (int p = 0; p < planes; p++) {
      source.get(p * count + from, plane, 0, number);
      int shift = p * Byte.SIZE;
      if (p == 0) {
        for (int i = 0; i < number; i++) {
          numbers[i] = plane[i] & 0xFF;
        }
      } else {
        for (int i = 0; i < number; i++) {
          numbers[i] |= (plane[i] & 0xFFL) << shift;
        }
      }
    }
  }

  /** Restores values from numbers of an order; returns the value before the next ones. */
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
