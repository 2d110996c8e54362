package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.kernel.NarrowBlock;
import io.drayage.columnar.stream.Values;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Finds the bytes or shorts that differ from the one before, eight or four of them at a time. Not
 * thread-safe. The windows of a stream are requested in their order.
 */
final class NarrowChanges {
  /** Adds the lowest bits of the bytes, or the shorts, of a long in its uppermost bits. */
  private static final long GATHER_BYTES = 0x0102040810204080L;

  private static final long GATHER_SHORTS = (1L << 60) | (1L << 45) | (1L << 30) | (1L << 15);

  private final ByteBuffer scratch =
      ByteBuffer.allocateDirect(MiniBlock.VALUES * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final LongBuffer scratchLongs = scratch.asLongBuffer();

  /** The first long is the last one of the window before. */
  private final long[] window = new long[1 + MiniBlock.VALUES * Short.BYTES / Long.BYTES];

  private final long[] flags = new long[window.length];

  /**
   * Reads a window and sets the bit of each value that differs from its predecessor, and of the
   * first value of a stream.
   *
   * @param from a multiple of 1,024
   * @param bits clear after the last value
   * @return number of words of bits
   */
  int find(Values values, int from, int number, long[] bits) {
    int field = values.rawWidth() * Byte.SIZE;
    int longs = (number * values.rawWidth() + Long.BYTES - 1) / Long.BYTES;
    window[0] = window[MiniBlock.VALUES * values.rawWidth() / Long.BYTES];
    values.copyRaw(from, number, scratch.clear());
    scratchLongs.get(0, window, 1, longs);
    long high = NarrowBlock.repeat(field, 1 << (field - 1));
    differ(longs, field, high);
    int words = Bits.words(number);
    int at = from >>> 6;
    if (field == Byte.SIZE) {
      gatherBytes(words, bits, at);
    } else {
      gatherShorts(words, bits, at);
    }
    if (from == 0) {
      bits[0] |= 1;
    }
    bits[at + words - 1] &= -1L >>> -number;
    return words;
  }

  private void differ(int longs, int field, long high) {
    int other = Long.SIZE - field;
    for (int i = 1; i <= longs; i++) {
      long before = (window[i] << field) | (window[i - 1] >>> other);
      long difference = window[i] ^ before;
      flags[i] = (((difference & ~high) + ~high) | difference) & high;
    }
  }

  private void gatherBytes(int words, long[] bits, int at) {
    for (int w = 0; w < words; w++) {
      long word = 0;
      int from = 1 + (w << 3);
      for (int i = 0; i < 8; i++) {
        word |= (((flags[from + i] >>> 7) * GATHER_BYTES) >>> 56) << (i << 3);
      }
      bits[at + w] = word;
    }
  }

  private void gatherShorts(int words, long[] bits, int at) {
    for (int w = 0; w < words; w++) {
      long word = 0;
      int from = 1 + (w << 4);
      for (int i = 0; i < 16; i++) {
        word |= (((flags[from + i] >>> 15) * GATHER_SHORTS) >>> 60) << (i << 2);
      }
      bits[at + w] = word;
    }
  }

  /** Returns value {@code i} of the window. */
  int at(int i, int rawWidth) {
    return rawWidth == 1
        ? (byte) (window[1 + (i >> 3)] >>> (i << 3))
        : (short) (window[1 + (i >> 2)] >>> (i << 4));
  }
}
