package io.drayage.columnar.integer;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Bitstream;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.kernel.NarrowBlock;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packs bytes and shorts by their range without widening them. Only for a segment's own stream.
 *
 * <pre>
 *   +-----------------+---------------------------------+------------------+
 *   | width u8        | reference, of the column's      | packed numbers   |
 *   | of each block   | width, unsigned, of each block  | of each block    |
 *   +-----------------+---------------------------------+------------------+
 * </pre>
 *
 * A block has 4,096 values ({@link NarrowBlock}). The last block has the remaining values, as a
 * {@link Bitstream}. A reference is biased by half of the range of the column's type, so that it is
 * not negative.
 */
public final class NarrowEncoding extends Encoding {
  private final NarrowBlock block = new NarrowBlock();
  private final ByteBuffer scratch =
      ByteBuffer.allocateDirect(NarrowBlock.VALUES * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final LongBuffer scratchLongs = scratch.asLongBuffer();
  private final long[] extremes = new long[2];
  private final int[] window = new int[NarrowBlock.VALUES];

  public NarrowEncoding() {
    super(20, "NARROW");
  }

  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    int rawWidth = analysis.values().rawWidth();
    if (rawWidth >= Integer.BYTES) {
      return null;
    }
    int minisOfBlock = NarrowBlock.VALUES / MiniBlock.VALUES;
    double packed = analysis.ranges().packedBytes(minisOfBlock, NarrowEncoding::packedBytes);
    return Estimate.of(headBytes(analysis.count(), rawWidth) + packed);
  }

  /** Number of bytes of a payload before its packed numbers. */
  private static int headBytes(int count, int rawWidth) {
    return blocks(count) * (1 + rawWidth);
  }

  private static int blocks(int count) {
    return (count + NarrowBlock.VALUES - 1) / NarrowBlock.VALUES;
  }

  private static int packedBytes(int count, int width) {
    return count == NarrowBlock.VALUES
        ? NarrowBlock.ROW_BYTES * width
        : Bitstream.bytes(count, width);
  }

  private static int bias(int field) {
    return 1 << (field - 1);
  }

  @Override
  public @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    int count = values.count();
    int rawWidth = values.rawWidth();
    if (rawWidth >= Integer.BYTES) {
      return null;
    }
    int field = rawWidth * Byte.SIZE;
    int head = target.position();
    if (target.remaining() < headBytes(count, rawWidth)) {
      throw new BufferOverflowException();
    }
    int referencesAt = head + blocks(count);
    target.position(head + headBytes(count, rawWidth));
    int narrowest = -1;
    for (int b = 0; b < blocks(count); b++) {
      int from = b * NarrowBlock.VALUES;
      int number = Math.min(NarrowBlock.VALUES, count - from);
      int referenceAt = referencesAt + b * rawWidth;
      if (number == NarrowBlock.VALUES) {
        scratch.clear();
        values.copyRaw(from, number, scratch);
        block.load(scratchLongs, field);
        narrowest = findRange(field, narrowest);
        writeHead(target, head + b, referenceAt, rawWidth, block.min(), block.max());
        writeBlock(target, target.get(head + b), reference(target, referenceAt, rawWidth), field);
      } else {
        values.load(from, number, window);
        IntKernels.extremes(window, number, extremes);
        int min = (int) extremes[0];
        writeHead(target, head + b, referenceAt, rawWidth, min, (int) extremes[1]);
        int reference = reference(target, referenceAt, rawWidth) - bias(field);
        IntKernels.pack(window, number, reference, 0, target.get(head + b), target);
      }
    }
    return List.of();
  }

  /**
   * Finds the minimum and the maximum of a block. Bounds are enough if they are no wider than the
   * narrowest block whose values were found exactly.
   *
   * @param narrowest the width of that block; -1 if there is none yet
   * @return the width of the narrowest block so far
   */
  private int findRange(int field, int narrowest) {
    block.findBounds(field);
    if (Bits.width(block.max() - block.min()) <= narrowest) {
      return narrowest;
    }
    block.findExtremes(field);
    int width = Bits.width(block.max() - block.min());
    return narrowest < 0 ? width : Math.min(narrowest, width);
  }

  /** Writes a reference such that no number of the width exceeds the largest value. */
  private static void writeHead(
      ByteBuffer target, int widthAt, int referenceAt, int rawWidth, int min, int max) {
    int field = rawWidth * Byte.SIZE;
    int width = Bits.width(max - min);
    int reference = Math.min(min + bias(field), (1 << field) - (1 << width));
    target.put(widthAt, (byte) width);
    if (rawWidth == 1) {
      target.put(referenceAt, (byte) reference);
    } else {
      target.putShort(referenceAt, (short) reference);
    }
  }

  private static int reference(ByteBuffer buffer, int at, int rawWidth) {
    return rawWidth == 1 ? buffer.get(at) & 0xFF : buffer.getShort(at) & 0xFFFF;
  }

  private void writeBlock(ByteBuffer target, int width, int reference, int field) {
    if (width > 0) {
      block.pack(field, width, reference, target.asLongBuffer());
      target.position(target.position() + NarrowBlock.ROW_BYTES * width);
    }
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    int rawWidth = sink.rawWidth();
    if (rawWidth > Short.BYTES) {
      throw Malformed.because(format("narrow values in %,d of %,d bytes", count, rawWidth));
    }
    int field = rawWidth * Byte.SIZE;
    int head = source.position();
    Malformed.unlessThere("the widths of narrow values", source, headBytes(count, rawWidth));
    check(source, count, rawWidth);
    source.position(head + headBytes(count, rawWidth));
    for (int b = 0; b < blocks(count); b++) {
      int from = b * NarrowBlock.VALUES;
      int number = Math.min(NarrowBlock.VALUES, count - from);
      int width = source.get(head + b);
      int reference = reference(source, head + blocks(count) + b * rawWidth, rawWidth);
      if (number == NarrowBlock.VALUES) {
        block.unpack(source.asLongBuffer(), field, width, reference);
        block.store(scratchLongs, field);
        sink.storeRaw(from, number, scratch.clear());
        source.position(source.position() + NarrowBlock.ROW_BYTES * width);
      } else {
        Arrays.fill(window, 0, number, reference - bias(field));
        IntKernels.addPacked(source, number, 0, width, window);
        sink.store(from, number, window);
      }
    }
    return List.of();
  }

  /** Checks all numbers, before any value is unpacked. */
  private static void check(ByteBuffer source, int count, int rawWidth) throws ShipmentException {
    int field = rawWidth * Byte.SIZE;
    int head = source.position();
    int blocks = blocks(count);
    long bytes = headBytes(count, rawWidth);
    for (int b = 0; b < blocks; b++) {
      int width = source.get(head + b);
      Malformed.unlessWithin("a width", width, 0, field);
      int reference = reference(source, head + blocks + b * rawWidth, rawWidth);
      Malformed.unlessWithin("a reference", reference, 0, (1L << field) - (1L << width));
      int number = Math.min(NarrowBlock.VALUES, count - b * NarrowBlock.VALUES);
      bytes += packedBytes(number, width);
    }
    Malformed.unlessExactly("narrow values", source, bytes);
  }
}
