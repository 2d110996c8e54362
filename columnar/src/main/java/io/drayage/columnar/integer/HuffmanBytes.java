package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.BytePacking;
import io.drayage.columnar.kernel.HuffmanCode;
import io.drayage.columnar.kernel.HuffmanTable;
import io.drayage.columnar.stream.Malformed;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/**
 * Blocks of bytes as they are, almost all of one value, or in a code of their own.
 *
 * <pre>
 *   0       1
 *   +-------+-----------------------+
 *   | 0     | the bytes             |
 *   +-------+-----------------------+
 *   | 1     | common u8 | n u16     | gap u8, and byte u8 if the gap is not 255 ... |
 *   +-------+----------+------------+----------------+--------------------+---------+
 *   | 2     | least u8 | span - 1   | lengths        | bytes of each      | streams |
 *   |       |          | u8         | 4 bits * span  | stream, u16 * 4    |         |
 *   +-------+----------+------------+----------------+--------------------+---------+
 *   | 3     | values m | bytes u8 * m   | block of the places of bytes there, packed |
 *   |       | u8       |                |                                            |
 *   +-------+----------+----------------+--------------------------------------------+
 * </pre>
 *
 * All bytes but {@code n} are the common one. A gap tells how many of these come before the next
 * that is another one; 255 that it comes later. The lengths are those of the codes of as many
 * values of a byte, from the least on; behind 255 comes 0. The lower half of a byte comes first. A
 * code takes a bit at least: a few values are packed before, 8, 4 or 2 in a byte.
 */
final class HuffmanBytes {
  /** The most bytes of a block. */
  static final int MAX_COUNT = 1 << 15;

  /** What is read behind the last byte of a block, whatever that tells. */
  static final int PADDING =
      HuffmanTable.readableBytes(MAX_COUNT / HuffmanTable.STREAMS + HuffmanTable.STREAMS);

  private static final byte PLAIN = 0;
  private static final byte COMMON = 1;
  private static final byte CODED = 2;
  private static final byte PACKED = 3;

  private static final int COMMON_HEAD_BYTES = 4;
  private static final int MAX_GAP = 255;
  private static final int HEAD_BYTES = 3;
  private static final int PACKED_HEAD_BYTES = 2;
  private static final int SIZES_BYTES = HuffmanTable.STREAMS * Short.BYTES;
  private static final int MAX_HEAD_BYTES = HEAD_BYTES + HuffmanCode.SYMBOLS / 2 + SIZES_BYTES;

  /** About what a sample shows too little for each different byte: 1 / (2 ln 2). */
  private static final double BIAS_BITS = 0.72;

  private static final int MASK = HuffmanCode.SYMBOLS - 1;

  /** A code must save so much of the bytes: it takes time. */
  private static final int MIN_SAVED = 32;

  private final HuffmanCode code = new HuffmanCode();
  private final HuffmanTable table = new HuffmanTable();
  private final byte[] lengths = new byte[HuffmanCode.SYMBOLS];
  private final int[] starts = new int[HuffmanTable.STREAMS + 1];
  private final byte[] coded =
      new byte[MAX_HEAD_BYTES + HuffmanTable.STREAMS + MAX_COUNT + HuffmanCode.PADDING];

  private final BytePacking packing = new BytePacking(MAX_COUNT);

  /** What the bytes that {@link #fit} saw take in their code. */
  private int codedBytes;

  /** What they take as gaps between others than the common one. */
  private int commonBytes;

  private boolean equal;

  /** Whether the block that was read last has only one value. */
  boolean isEqual() {
    return equal;
  }

  /** Whether some bytes, of which there is at least one, are all the same. */
  private static boolean areEqual(byte[] bytes, int count) {
    return Arrays.mismatch(bytes, 0, count - 1, bytes, 1, count) < 0;
  }

  /**
   * The bits that a byte of a block takes, by a sample of them.
   *
   * @param blockCount how many bytes the block has
   */
  double bits(byte[] sample, int count, int blockCount) {
    if (areEqual(sample, count)) {
      return 0;
    }
    double bits = codedBits(sample, count, blockCount);
    if (packing.suits(code, count)) {
      int number = packing.pack(sample, count);
      if (!areEqual(packing.packed(), number)) {
        int perByte = packing.perByte();
        double packed = codedBits(packing.packed(), number, blockCount / perByte) / perByte;
        bits = Math.min(bits, packed);
      }
    }
    return bits;
  }

  private double codedBits(byte[] sample, int count, int blockCount) {
    // A sample's own code is too good for the rest.
    double coded = (code.fit(sample, count) + BIAS_BITS * code.symbols()) / count;
    double head = (double) HuffmanCode.LENGTH_BITS * code.symbols() / blockCount;
    double common = 2.0 * Byte.SIZE * (count - code.commonCount()) / count;
    return Math.min(Math.min(coded + head, common), Byte.SIZE);
  }

  /** Writes a block. */
  void write(byte[] bytes, int count, ByteBuffer target) {
    int plainBytes = fit(bytes, count);
    if (plainBytes > COMMON_HEAD_BYTES && packing.suits(code, count)) {
      int number = packing.pack(bytes, count);
      int values = packing.values().length;
      if (PACKED_HEAD_BYTES + values + fit(packing.packed(), number) < plainBytes) {
        checked(target, PACKED_HEAD_BYTES + values).put(PACKED).put((byte) values);
        target.put(packing.values());
        writeFitted(packing.packed(), number, target);
        return;
      }
      fit(bytes, count);
    }
    writeFitted(bytes, count, target);
  }

  /** Makes a code for some bytes; how many bytes these then take, or as they are, at most. */
  private int fit(byte[] bytes, int count) {
    if (areEqual(bytes, count)) {
      return COMMON_HEAD_BYTES;
    }
    codedBytes = (int) (code.fit(bytes, count) / Byte.SIZE) + MAX_HEAD_BYTES;
    commonBytes = COMMON_HEAD_BYTES + 2 * (count - code.commonCount()) + count / MAX_GAP;
    return Math.min(Math.min(codedBytes, commonBytes), 1 + count);
  }

  private void writeFitted(byte[] bytes, int count, ByteBuffer target) {
    if (areEqual(bytes, count)) {
      writeCommon(bytes, count, bytes[0], 0, target);
      return;
    }
    if (commonBytes < Math.min(codedBytes, count)) {
      writeCommon(bytes, count, code.common(), count - code.commonCount(), target);
      return;
    }
    if (codedBytes > count - count / MIN_SAVED) {
      checked(target, 1 + count).put(PLAIN).put(bytes, 0, count);
      return;
    }
    code.assign();
    int sizesAt = writeLengths();
    int quarter = count / HuffmanTable.STREAMS;
    int at = sizesAt + SIZES_BYTES;
    for (int stream = 0; stream < HuffmanTable.STREAMS; stream++) {
      int from = stream * quarter;
      int number = stream == HuffmanTable.STREAMS - 1 ? count - from : quarter;
      int end = code.write(bytes, from, number, coded, at);
      coded[sizesAt + 2 * stream] = (byte) (end - at);
      coded[sizesAt + 2 * stream + 1] = (byte) ((end - at) >>> Byte.SIZE);
      at = end;
    }
    checked(target, at).put(coded, 0, at);
  }

  private void writeCommon(byte[] bytes, int count, byte common, int others, ByteBuffer target) {
    coded[0] = COMMON;
    coded[1] = common;
    coded[2] = (byte) others;
    coded[3] = (byte) (others >>> Byte.SIZE);
    int at = COMMON_HEAD_BYTES;
    int next = 0;
    for (int i = 0; others > 0 && i < count; i++) {
      if (bytes[i] != common) {
        for (; i - next >= MAX_GAP; next += MAX_GAP) {
          coded[at++] = (byte) MAX_GAP;
        }
        coded[at++] = (byte) (i - next);
        coded[at++] = bytes[i];
        next = i + 1;
      }
    }
    checked(target, at).put(coded, 0, at);
  }

  private static ByteBuffer checked(ByteBuffer target, int bytes) {
    if (target.remaining() < bytes) {
      throw new BufferOverflowException();
    }
    return target;
  }

  /** Writes the code; where it ends. */
  private int writeLengths() {
    byte[] all = code.lengths();
    int gap = 0;
    int least = 0;
    int from = 0;
    // The longest row without a code is left out, which for small numbers with a sign is inside.
    for (int s = 0; from < HuffmanCode.SYMBOLS; s++) {
      if (all[s & MASK] != 0) {
        least = s - from > gap ? s & MASK : least;
        gap = Math.max(gap, s - from);
        from = s + 1;
      }
    }
    int span = HuffmanCode.SYMBOLS - gap;
    coded[0] = CODED;
    coded[1] = (byte) least;
    coded[2] = (byte) (span - 1);
    int at = HEAD_BYTES;
    for (int i = 0; i < span; i += 2) {
      int high = i + 1 < span ? all[(least + i + 1) & MASK] : 0;
      coded[at++] = (byte) (all[(least + i) & MASK] | high << 4);
    }
    return at;
  }

  /**
   * Reads a block.
   *
   * @param source with {@link #PADDING} behind the limit
   * @param bytes has space for so many
   * @return where the block ends
   */
  int read(byte[] source, int from, int limit, byte[] bytes, int count) throws ShipmentException {
    unlessThere(from, limit, PACKED_HEAD_BYTES);
    if (source[from] != PACKED) {
      return readForm(source, from, limit, bytes, count);
    }
    int values = source[from + 1];
    Malformed.unlessWithin("the values that are packed", values, 2, BytePacking.MAX_VALUES);
    unlessThere(from, limit, PACKED_HEAD_BYTES + values);
    int number = packing.take(source, from + PACKED_HEAD_BYTES, values, count);
    int end = readForm(source, from + PACKED_HEAD_BYTES + values, limit, packing.packed(), number);
    packing.unpack(bytes, count);
    equal = false;
    return end;
  }

  private int readForm(byte[] source, int from, int limit, byte[] bytes, int count)
      throws ShipmentException {
    unlessThere(from, limit, 1);
    equal = false;
    switch (source[from]) {
      case PLAIN -> {
        unlessThere(from, limit, 1 + count);
        System.arraycopy(source, from + 1, bytes, 0, count);
        return from + 1 + count;
      }
      case COMMON -> {
        return readCommon(source, from, limit, bytes, count);
      }
      case CODED -> {
        return readCoded(source, from, limit, bytes, count);
      }
      default ->
          throw Malformed.because(
              String.format(Locale.ROOT, "%d is no form of a plane of bytes", source[from]));
    }
  }

  private static void unlessThere(int from, int limit, int bytes) throws ShipmentException {
    if (limit - from < bytes) {
      throw Malformed.because(
          String.format(
              Locale.ROOT, "a block of bytes takes %,d, there are %,d", bytes, limit - from));
    }
  }

  private int readCommon(byte[] source, int from, int limit, byte[] bytes, int count)
      throws ShipmentException {
    unlessThere(from, limit, COMMON_HEAD_BYTES);
    Arrays.fill(bytes, 0, count, source[from + 1]);
    int others = (source[from + 2] & MASK) | (source[from + 3] & MASK) << Byte.SIZE;
    equal = others == 0;
    int at = from + COMMON_HEAD_BYTES;
    int next = 0;
    for (int left = others; left > 0; ) {
      unlessThere(from, limit, at + 2 - from);
      int gap = source[at++] & MASK;
      next += gap;
      Malformed.unlessWithin("the place of a byte", next, 0, count - 1);
      if (gap < MAX_GAP) {
        bytes[next++] = source[at++];
        left--;
      }
    }
    return at;
  }

  private int readCoded(byte[] source, int from, int limit, byte[] bytes, int count)
      throws ShipmentException {
    unlessThere(from, limit, HEAD_BYTES);
    int least = source[from + 1] & MASK;
    int span = (source[from + 2] & MASK) + 1;
    int sizesAt = from + HEAD_BYTES + (span + 1) / 2;
    unlessThere(from, limit, sizesAt + SIZES_BYTES - from);
    Arrays.fill(lengths, (byte) 0);
    for (int i = 0; i < span; i++) {
      int pair = source[from + HEAD_BYTES + i / 2] & MASK;
      int length = i % 2 == 0 ? pair & 15 : pair >>> 4;
      Malformed.unlessWithin("the bits of a code", length, 0, HuffmanCode.MAX_BITS);
      lengths[(least + i) & MASK] = (byte) length;
    }
    if (!table.take(lengths)) {
      throw Malformed.because("the lengths of codes make no code: not every bit is of one");
    }
    starts[0] = sizesAt + SIZES_BYTES;
    for (int stream = 0; stream < HuffmanTable.STREAMS; stream++) {
      int at = sizesAt + stream * Short.BYTES;
      int size = (source[at] & MASK) | (source[at + 1] & MASK) << Byte.SIZE;
      starts[stream + 1] = starts[stream] + size;
    }
    unlessThere(from, limit, starts[HuffmanTable.STREAMS] - from);
    if (!table.read(source, starts, bytes, count)) {
      throw Malformed.because("a stream of codes does not end where the next one begins");
    }
    return starts[HuffmanTable.STREAMS];
  }
}
