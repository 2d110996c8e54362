package io.drayage.columnar.integer;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Bitstream;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Malformed;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/**
 * The values of a mini-block that do not fit into its width: the upper bits of each, zig-zag, and
 * its position. They follow the packed lower bits of the mini-block:
 *
 * <pre>
 *   +--------------------------+---------------------------------------+
 *   | positions, 10 bits each  | upper bits, as wide as the widest     |
 *   | a Bitstream              | a Bitstream                           |
 *   +--------------------------+---------------------------------------+
 * </pre>
 *
 * Not thread-safe.
 */
final class Patches {
  static final int POSITION_BITS = 10;

  private final long[] positions = new long[MiniBlock.VALUES];
  private final long[] uppers = new long[MiniBlock.VALUES];
  private final int[] flags = new int[MiniBlock.VALUES];
  private final long[] bits = new long[MiniBlock.VALUES / Long.SIZE];

  private int count;
  private int upperWidth;
  private long seen;

  static int bytes(int count, int upperWidth) {
    return Bitstream.bytes(count, POSITION_BITS) + Bitstream.bytes(count, upperWidth);
  }

  /**
   * Collects the values that do not fit.
   *
   * @param width fewer than the bits of a value
   */
  void collect(long[] values, int number, int width) {
    LongKernels.beyondWidth(values, number, width, flags);
    begin(number);
    for (int i = 0; i < count; i++) {
      set(i, values[(int) positions[i]] >> width);
    }
    upperWidth = Bits.width(seen);
  }

  /** Collects the values of 32 bits that do not fit. */
  void collect(int[] values, int number, int width) {
    IntKernels.beyondWidth(values, number, width, flags);
    begin(number);
    for (int i = 0; i < count; i++) {
      set(i, values[(int) positions[i]] >> width);
    }
    upperWidth = Bits.width(seen);
  }

  private void begin(int number) {
    int words = Bits.ofFlags(flags, number, bits, 0);
    count = 0;
    seen = 0;
    for (int w = 0; w < words; w++) {
      for (long left = bits[w]; left != 0; left &= left - 1) {
        positions[count++] = ((long) w << 6) + Long.numberOfTrailingZeros(left);
      }
    }
  }

  private void set(int i, long upper) {
    uppers[i] = (upper << 1) ^ (upper >> (Long.SIZE - 1));
    seen |= uppers[i];
  }

  int count() {
    return count;
  }

  int upperWidth() {
    return upperWidth;
  }

  int bytes() {
    return bytes(count, upperWidth);
  }

  void write(ByteBuffer target) {
    Bitstream.write(positions, count, 0, POSITION_BITS, target);
    Bitstream.write(uppers, count, 0, upperWidth, target);
  }

  /**
   * Reads the patches of a mini-block of {@code number} values; all bytes are there.
   *
   * @throws ShipmentException if a position is not greater than the one before, or outside
   */
  void read(ByteBuffer source, int number, int patches, int upperBits) throws ShipmentException {
    count = patches;
    upperWidth = upperBits;
    Bitstream.read(source, patches, 0, POSITION_BITS, positions);
    Bitstream.read(source, patches, 0, upperBits, uppers);
    long before = -1;
    for (int i = 0; i < patches; i++) {
      uppers[i] = uppers[i] >>> 1 ^ -(uppers[i] & 1);
      if (positions[i] <= before || positions[i] >= number) {
        throw Malformed.because(
            format(
                "exception %,d of %,d has position %,d, not above %,d and below %,d",
                i, patches, positions[i], before, number));
      }
      before = positions[i];
    }
  }

  /** Adds the upper bits to values. */
  void apply(int[] values, int width) {
    IntKernels.addAt(values, positions, uppers, count, width);
  }

  /** Adds the upper bits to values. */
  void apply(long[] values, int width) {
    LongKernels.addAt(values, positions, uppers, count, width);
  }
}
