package io.drayage.columnar.kernel;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Packs any number of integers one after the other, lowest bits first, into words of 32 bits. For
 * fewer integers than {@link BitPacking} needs. Values above 32 bits are packed as their lower
 * halves, followed by their upper halves.
 */
public final class Bitstream {
  private Bitstream() {}

  /** Number of bytes of {@code count} values of 0 to 64 bits. */
  public static int bytes(int count, int width) {
    return width <= Integer.SIZE
        ? (int) (((long) count * width + 31) >>> 5) * Integer.BYTES
        : bytes(count, Integer.SIZE) + bytes(count, width - Integer.SIZE);
  }

  /** Returns a mask of the lowest {@code width} bits. */
  static long mask(int width) {
    return (1L << width) - 1;
  }

  /** Packs the low {@code width} bits, 0 to 64, of the values' excess over a reference. */
  public static void write(long[] values, int count, long reference, int width, ByteBuffer target) {
    LongKernels.pack(values, count, reference, 0, Math.min(width, Integer.SIZE), target);
    if (width > Integer.SIZE) {
      int high = width - Integer.SIZE;
      LongKernels.pack(values, count, reference, Integer.SIZE, high, target);
    }
  }

  /** Reverses {@link #write}; all bytes are there. */
  public static void read(ByteBuffer source, int count, long reference, int width, long[] values) {
    Arrays.fill(values, 0, count, reference);
    LongKernels.addPacked(source, count, 0, Math.min(width, Integer.SIZE), values);
    if (width > Integer.SIZE) {
      LongKernels.addPacked(source, count, Integer.SIZE, width - Integer.SIZE, values);
    }
  }
}
