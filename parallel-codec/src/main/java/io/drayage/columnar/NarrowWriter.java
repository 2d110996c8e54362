package io.drayage.columnar;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Packs bytes and shorts as they are, without making them wider first. The layout is that of {@link
 * NarrowReader}. For one thread.
 */
final class NarrowWriter {
  private final NarrowBlock block = new NarrowBlock();
  private final ByteBuffer scratch =
      ByteBuffer.allocateDirect(NarrowBlock.VALUES * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final LongBuffer scratchLongs = scratch.asLongBuffer();
  private final int[] window = new int[NarrowBlock.VALUES];
  private final int[] words = new int[NarrowBlock.VALUES];

  /** The bytes of a payload but for its packed numbers. */
  static int headBytes(int count, int rawWidth) {
    return blocks(count) * (1 + rawWidth);
  }

  static int blocks(int count) {
    return (count + NarrowBlock.VALUES - 1) / NarrowBlock.VALUES;
  }

  /** Bytes that the packed numbers of one block take, of {@code count} values. */
  static int packedBytes(int count, int width) {
    return count == NarrowBlock.VALUES
        ? NarrowBlock.ROW_BYTES * width
        : Integer.BYTES * Bitstream.words(count, width);
  }

  /** What a value of that many bits is more than what is stored as its reference. */
  static int bias(int field) {
    return 1 << (field - 1);
  }

  /**
   * Writes a payload.
   *
   * @throws BufferOverflowException if there is no room for it
   */
  void write(Values values, ByteBuffer target) {
    int count = values.count();
    int rawWidth = values.rawWidth();
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
      if (number == NarrowBlock.VALUES) {
        scratch.clear();
        values.copyRaw(from, number, scratch);
        block.load(scratchLongs, rawWidth * Byte.SIZE);
        narrowest = findRange(rawWidth * Byte.SIZE, narrowest);
        writeHead(
            target, head + b, referencesAt + b * rawWidth, rawWidth, block.min(), block.max());
        writeBlock(
            target, target.get(head + b), reference(target, referencesAt, b, rawWidth), rawWidth);
      } else {
        values.load(from, number, window);
        int min = IntKernels.min(window, number);
        int max = IntKernels.max(window, number);
        writeHead(target, head + b, referencesAt + b * rawWidth, rawWidth, min, max);
        int reference = reference(target, referencesAt, b, rawWidth);
        writeRest(target, number, target.get(head + b), reference - bias(rawWidth * Byte.SIZE));
      }
    }
  }

  /**
   * Finds the least and the most value of a block, or what bounds them and is no wider than they
   * were in another block.
   *
   * @param narrowest the width of another block that was looked at exactly; -1 if none was
   * @return the same for the next block
   */
  private int findRange(int field, int narrowest) {
    block.findBounds(field);
    if (Words.width(block.max() - block.min()) <= narrowest) {
      return narrowest;
    }
    block.findExtremes(field);
    return Math.max(narrowest, Words.width(block.max() - block.min()));
  }

  /** The reference is such that no number of the width leads beyond the largest value. */
  private static void writeHead(
      ByteBuffer target, int widthAt, int referenceAt, int rawWidth, int min, int max) {
    int field = rawWidth * Byte.SIZE;
    int width = Words.width(max - min);
    int reference = Math.min(min + bias(field), (1 << field) - (1 << width));
    target.put(widthAt, (byte) width);
    if (rawWidth == 1) {
      target.put(referenceAt, (byte) reference);
    } else {
      target.putShort(referenceAt, (short) reference);
    }
  }

  /** The reference of a block, as it is stored. */
  static int reference(ByteBuffer buffer, int referencesAt, int block, int rawWidth) {
    return rawWidth == 1
        ? buffer.get(referencesAt + block) & 0xFF
        : buffer.getShort(referencesAt + block * Short.BYTES) & 0xFFFF;
  }

  private void writeBlock(ByteBuffer target, int width, int reference, int rawWidth) {
    if (width > 0) {
      block.pack(rawWidth * Byte.SIZE, width, reference, target.asLongBuffer());
      target.position(target.position() + NarrowBlock.ROW_BYTES * width);
    }
  }

  private void writeRest(ByteBuffer target, int number, int width, int reference) {
    IntKernels.subtract(window, number, reference, window);
    Bitstream.pack(window, number, width, words, 0);
    int used = Bitstream.words(number, width);
    target.asIntBuffer().put(words, 0, used);
    target.position(target.position() + used * Integer.BYTES);
  }
}
