package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Bitstream;
import io.drayage.columnar.stream.Malformed;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * A few integers, one or a few for each mini-block, in one fixed form:
 *
 * <pre>
 *   0        8       9
 *   +--------+-------+------------------------------------------+
 *   | least  | width | what each exceeds it by, as a Bitstream  |
 *   | i64    | u8    | words of 32 bits                         |
 *   +--------+-------+------------------------------------------+
 * </pre>
 */
final class SmallTable {
  private static final int HEAD_BYTES = Long.BYTES + 1;

  private SmallTable() {}

  static void write(long[] values, int count, ByteBuffer target) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
    }
    int width = Bits.width(most - least);
    target.putLong(least).put((byte) width);
    Bitstream.write(values, count, least, width, target);
  }

  /** Reads {@code count} integers. The caller has checked that there may be so many. */
  static void read(ByteBuffer source, int count, long[] values) throws ShipmentException {
    Malformed.unlessThere("a table", source, HEAD_BYTES);
    long least = source.getLong();
    int width = source.get() & 0xFF;
    Malformed.unlessWithin("a table's width", width, 0, Long.SIZE);
    Malformed.unlessThere("a table", source, Bitstream.bytes(count, width));
    Bitstream.read(source, count, least, width, values);
  }
}
