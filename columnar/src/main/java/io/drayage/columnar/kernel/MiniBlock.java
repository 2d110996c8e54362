package io.drayage.columnar.kernel;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Packs a mini-block of integers into a buffer, and back, and owns memory for that: 1,024 by {@link
 * BitPacking}, fewer by {@link Bitstream}. Buffers are little-endian. Not thread-safe.
 */
public final class MiniBlock {
  /** Number of values in a mini-block. */
  public static final int VALUES = BitPacking.VALUES;

  private final int[] words = new int[VALUES];

  /** The lower halves of the values to be packed, or of the unpacked values. */
  public final int[] low = new int[VALUES];

  /** Their upper halves, for widths above 32. */
  public final int[] high = new int[VALUES];

  /** Number of bytes of {@code count} values, at most 1,024, of 0 to 64 bits. */
  public static int bytes(int count, int width) {
    return count == VALUES ? VALUES / Byte.SIZE * width : Bitstream.bytes(count, width);
  }

  /** Packs {@link #low}, and {@link #high} if the width is above 32. */
  public void write(int count, int width, ByteBuffer target) {
    if (width > Integer.SIZE) {
      writeHalf(low, count, Integer.SIZE, target);
      writeHalf(high, count, width - Integer.SIZE, target);
    } else if (width > 0) {
      writeHalf(low, count, width, target);
    }
  }

  private void writeHalf(int[] values, int count, int width, ByteBuffer target) {
    if (count < VALUES) {
      IntKernels.pack(values, count, 0, 0, width, target);
      return;
    }
    int[] packed = values;
    if (width < Integer.SIZE) {
      BitPacking.pack(width, values, words);
      packed = words;
    }
    int bytes = bytes(count, width);
    target.asIntBuffer().put(packed, 0, bytes / Integer.BYTES);
    target.position(target.position() + bytes);
  }

  /** Unpacks into {@link #low}, and {@link #high} if the width is above 32. All bytes are there. */
  public void read(ByteBuffer source, int count, int width) {
    if (width > Integer.SIZE) {
      readHalf(source, count, Integer.SIZE, low);
      readHalf(source, count, width - Integer.SIZE, high);
    } else if (width > 0) {
      readHalf(source, count, width, low);
    } else {
      Arrays.fill(low, 0, count, 0);
    }
  }

  private void readHalf(ByteBuffer source, int count, int width, int[] values) {
    if (count < VALUES) {
      Arrays.fill(values, 0, count, 0);
      IntKernels.addPacked(source, count, 0, width, values);
      return;
    }
    int bytes = bytes(count, width);
    source.asIntBuffer().get(width < Integer.SIZE ? words : values, 0, bytes / Integer.BYTES);
    source.position(source.position() + bytes);
    if (width < Integer.SIZE) {
      BitPacking.unpack(width, words, values);
    }
  }
}
