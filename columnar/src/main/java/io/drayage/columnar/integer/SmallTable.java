package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Bitstream;
import io.drayage.columnar.kernel.Halves;
import io.drayage.columnar.stream.Malformed;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Few integers, one or a few for each mini-block, packed without a choice:
 *
 * <pre>
 *   0        8       9
 *   +--------+-------+------------------------------------------+
 *   | least  | width | what each exceeds it by, as a Bitstream  |
 *   | i64    | u8    | words of 32 bits                         |
 *   +--------+-------+------------------------------------------+
 * </pre>
 *
 * Not thread-safe.
 */
final class SmallTable {
  private static final int HEAD_BYTES = Long.BYTES + 1;

  private int[] low = new int[64];
  private int[] high = new int[64];
  private int[] words = new int[128];

  private void ensureLength(int count) {
    if (low.length < count) {
      low = new int[count];
      high = new int[count];
      words = new int[2 * count + 2];
    }
  }

  void write(long[] values, int count, ByteBuffer target) {
    ensureLength(count);
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
    }
    int width = Bits.width(most - least);
    target.putLong(least).put((byte) width);
    Halves.low(values, count, least, low);
    int used = Bitstream.words(count, width);
    Bitstream.pack(low, count, Math.min(width, Integer.SIZE), words, 0);
    if (width > Integer.SIZE) {
      Halves.high(values, count, least, high);
      Bitstream.pack(high, count, width - Integer.SIZE, words, count);
    }
    target.asIntBuffer().put(words, 0, used);
    target.position(target.position() + used * Integer.BYTES);
  }

  /** Reads {@code count} integers, of which the caller knows that there may be so many. */
  void read(ByteBuffer source, int count, long[] values) throws ShipmentException {
    Malformed.unlessThere("a table", source, HEAD_BYTES);
    long least = source.getLong();
    int width = source.get() & 0xFF;
    Malformed.unlessWithin("a table's width", width, 0, Long.SIZE);
    int used = Bitstream.words(count, width);
    Malformed.unlessThere("a table", source, used * (long) Integer.BYTES);
    ensureLength(count);
    source.asIntBuffer().get(words, 0, used);
    source.position(source.position() + used * Integer.BYTES);
    if (width > Integer.SIZE) {
      Bitstream.unpack(words, 0, count, Integer.SIZE, low);
      Bitstream.unpack(words, count, count, width - Integer.SIZE, high);
    } else {
      Bitstream.unpack(words, 0, count, width, low);
      Arrays.fill(high, 0, count, 0);
    }
    Halves.widen(low, high, count, least, values);
  }
}
