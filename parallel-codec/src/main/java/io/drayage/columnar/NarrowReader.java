package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Reads bytes and shorts that were packed as they are:
 *
 * <pre>
 *   +-----------------+---------------------------------+------------------+
 *   | width u8        | reference, of the column's      | packed numbers   |
 *   | of each block   | width, unsigned, of each block  | of each block    |
 *   +-----------------+---------------------------------+------------------+
 * </pre>
 *
 * A block has 4,096 values ({@link NarrowBlock}), the last one what remains, as a {@link
 * Bitstream}. For one thread.
 */
final class NarrowReader {
  private final NarrowBlock block = new NarrowBlock();
  private final ByteBuffer scratch =
      ByteBuffer.allocateDirect(NarrowBlock.VALUES * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final LongBuffer scratchLongs = scratch.asLongBuffer();
  private final int[] window = new int[NarrowBlock.VALUES];
  private final int[] words = new int[NarrowBlock.VALUES];

  /** Reads exactly the remaining bytes of a payload. */
  void read(ByteBuffer source, int count, Room room) throws ShipmentException {
    int rawWidth = room.rawWidth();
    if (rawWidth > Short.BYTES) {
      throw Malformed.because("narrow values in %,d of %,d bytes".formatted(count, rawWidth));
    }
    int field = rawWidth * Byte.SIZE;
    int head = source.position();
    int referencesAt = head + NarrowWriter.blocks(count);
    Malformed.unlessThere(
        "the widths of narrow values", source, NarrowWriter.headBytes(count, rawWidth));
    check(source, count, rawWidth);
    source.position(head + NarrowWriter.headBytes(count, rawWidth));
    for (int b = 0; b < NarrowWriter.blocks(count); b++) {
      int from = b * NarrowBlock.VALUES;
      int number = Math.min(NarrowBlock.VALUES, count - from);
      int width = source.get(head + b);
      int reference = NarrowWriter.reference(source, referencesAt, b, rawWidth);
      if (number == NarrowBlock.VALUES) {
        block.unpack(source.asLongBuffer(), field, width, reference);
        block.store(scratchLongs, field);
        room.storeRaw(from, number, scratch.clear());
        source.position(source.position() + NarrowBlock.ROW_BYTES * width);
      } else {
        readRest(source, number, width, reference - NarrowWriter.bias(field));
        room.store(from, number, window);
      }
    }
  }

  /** All numbers, before anything is unpacked. */
  private static void check(ByteBuffer source, int count, int rawWidth) throws ShipmentException {
    int field = rawWidth * Byte.SIZE;
    int head = source.position();
    int blocks = NarrowWriter.blocks(count);
    long bytes = NarrowWriter.headBytes(count, rawWidth);
    for (int b = 0; b < blocks; b++) {
      int width = source.get(head + b);
      Malformed.unlessWithin("a width", width, 0, field);
      int reference = NarrowWriter.reference(source, head + blocks, b, rawWidth);
      Malformed.unlessWithin("a reference", reference, 0, (1L << field) - (1L << width));
      int number = Math.min(NarrowBlock.VALUES, count - b * NarrowBlock.VALUES);
      bytes += NarrowWriter.packedBytes(number, width);
    }
    Malformed.unlessExactly("narrow values", source, bytes);
  }

  private void readRest(ByteBuffer source, int number, int width, int reference) {
    int used = Bitstream.words(number, width);
    source.asIntBuffer().get(words, 0, used);
    source.position(source.position() + used * Integer.BYTES);
    Bitstream.unpack(words, 0, number, width, window);
    IntKernels.add(window, number, reference);
  }
}
