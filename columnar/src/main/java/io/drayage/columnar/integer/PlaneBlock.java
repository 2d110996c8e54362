package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.BytePlanes;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.kernel.PlaneKernels;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A block of bytes or shorts of {@link HuffmanEncoding}: what they, or their differences, exceed a
 * reference by, in planes of bytes. Not thread-safe.
 *
 * <pre>
 *   0           1               9                      17
 *   +-----------+---------------+ - - - - - - - - - - -+--------------------------+
 *   | planes u8 | reference i64 | value before i64, if | planes of the numbers,   |
 *   | 0 to 4    |               | differences          | lowest first             |
 *   +-----------+---------------+ - - - - - - - - - - -+--------------------------+
 * </pre>
 */
final class PlaneBlock {
  /** The most values. */
  static final int MAX_COUNT = HuffmanBytes.MAX_COUNT;

  /** The most planes. */
  static final int MAX_PLANES = Integer.BYTES;

  private static final int HALF = 1 << (Byte.SIZE - 1);

  private final Workspace workspace;
  private final HuffmanBytes coded = new HuffmanBytes();
  private final byte[][] planes = new byte[MAX_PLANES][];
  private final int[] shifts = new int[MAX_PLANES];

  /** The value before the next block that is written. */
  private int last;

  private int before;
  private int reference;
  private int planeCount;

  PlaneBlock(Workspace workspace) {
    this.workspace = workspace;
  }

  private byte[] plane(int p) {
    byte[] plane = planes[p];
    if (plane == null) {
      plane = new byte[MAX_COUNT];
      planes[p] = plane;
    }
    return plane;
  }

  /**
   * The bits that each plane of such numbers takes, by a sample.
   *
   * @param isByte whether the numbers are of values of one byte
   * @param planeBits gets them
   * @return how many planes there are
   */
  int measure(
      int[] numbers, int count, int order, boolean isByte, int blockCount, double[] planeBits) {
    if (isByte) {
      referToNothing();
    } else {
      refer(numbers, count, order);
    }
    for (int p = 0; p < planeCount; p++) {
      PlaneKernels.cut(numbers, count, reference, p * Byte.SIZE, plane(0));
      planeBits[p] = coded.bits(plane(0), count, blockCount);
    }
    return planeCount;
  }

  /** Bytes are a plane as they are, whatever sign they have. */
  private void referToNothing() {
    reference = 0;
    planeCount = 1;
  }

  private void refer(int[] numbers, int count, int order) {
    int least = IntKernels.min(numbers, count);
    int most = IntKernels.max(numbers, count);
    reference = least;
    if (order == 1 && least < 0 && most - least >= 2 * HALF) {
      // Small differences of either sign are then equal in all bytes but the lowest.
      reference = -(((HALF - 1 - least) & -2 * HALF) + HALF);
    }
    planeCount = BytePlanes.planes(Bits.width(most - reference));
  }

  /** Writes a block; blocks of a stream in their order. */
  void write(Values values, int from, int count, int order, ByteBuffer target) {
    if (values.rawWidth() == 1) {
      writeBytes(values, from, count, order, target);
    } else {
      writeInts(values, from, count, order, target);
    }
  }

  private void writeHead(int order, ByteBuffer target) {
    if (target.remaining() < headBytes(order)) {
      throw new BufferOverflowException();
    }
    target.put((byte) planeCount).putLong(reference);
    if (order == 1) {
      target.putLong(before);
    }
  }

  private static int headBytes(int order) {
    return 1 + (1 + order) * Long.BYTES;
  }

  private void writeBytes(Values values, int from, int count, int order, ByteBuffer target) {
    byte[] bytes = plane(0);
    values.copyRaw(from, count, ByteBuffer.wrap(bytes, 0, count));
    referToNothing();
    if (order == 1) {
      begin(from, bytes[0], bytes[Math.min(1, count - 1)]);
      last = bytes[count - 1];
      PlaneKernels.differences(bytes, count, (byte) before, plane(1));
      bytes = plane(1);
    }
    writeHead(order, target);
    coded.write(bytes, count, target);
  }

  /** Before the first value, we assume one that differs from it as it does from the next. */
  private void begin(int from, int first, int second) {
    before = from == 0 ? 2 * first - second : last;
  }

  private void writeInts(Values values, int from, int count, int order, ByteBuffer target) {
    int[] numbers = workspace.ints(MAX_COUNT);
    int[] window = workspace.window;
    for (int at = 0; at < count; at += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, count - at);
      if (order == 0) {
        values.load(from + at, some, numbers, at);
      } else {
        values.load(from + at, some, window);
        if (at == 0) {
          begin(from, window[0], window[Math.min(1, some - 1)]);
          last = before;
        }
        PlaneKernels.differences(window, some, last, numbers, at);
        last = window[some - 1];
      }
    }
    refer(numbers, count, order);
    writeHead(order, target);
    for (int p = 0; p < planeCount; p++) {
      PlaneKernels.cut(numbers, count, reference, p * Byte.SIZE, plane(0));
      coded.write(plane(0), count, target);
    }
  }

  /**
   * Reads a block.
   *
   * @param bytes the payload, with {@link HuffmanBytes#PADDING} behind its end
   * @param heads the same bytes, at the block; its position then stands behind it
   */
  void read(byte[] bytes, ByteBuffer heads, int from, int count, int order, Values sink)
      throws ShipmentException {
    Malformed.unlessThere("the head of a block of planes", heads, headBytes(order));
    int number = heads.get();
    Malformed.unlessWithin("the planes", number, 0, MAX_PLANES);
    reference = (int) heads.getLong();
    before = order == 0 ? 0 : (int) heads.getLong();
    int at = heads.position();
    planeCount = 0;
    for (int p = 0; p < number; p++) {
      int shift = p * Byte.SIZE;
      int end = coded.read(bytes, at, heads.limit(), plane(planeCount), count);
      if (coded.isEqual()) {
        reference += (plane(planeCount)[0] & 0xFF) << shift;
      } else {
        shifts[planeCount++] = shift;
      }
      at = end;
    }
    heads.position(at);
    if (sink.rawWidth() == 1 && number == 1) {
      storeBytes(from, count, order, sink);
    } else {
      storeInts(from, count, order, sink);
    }
  }

  private void storeBytes(int from, int count, int order, Values sink) {
    byte[] bytes = plane(0);
    if (planeCount == 0) {
      // All are in the reference.
      Arrays.fill(bytes, 0, count, (byte) 0);
    }
    if (order == 1) {
      PlaneKernels.prefixSums(bytes, count, reference, before);
    } else if (reference != 0) {
      PlaneKernels.add(bytes, count, (byte) reference);
    }
    sink.storeRaw(from, count, ByteBuffer.wrap(bytes, 0, count));
  }

  private void storeInts(int from, int count, int order, Values sink) {
    int[] window = workspace.window;
    int value = before;
    for (int at = 0; at < count; at += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, count - at);
      PlaneKernels.join(planes, shifts, planeCount, at, some, reference, window);
      if (order == 1) {
        IntKernels.prefixSums(window, some, 0, value);
        value = window[some - 1];
      }
      sink.store(from + at, some, window);
    }
  }
}
