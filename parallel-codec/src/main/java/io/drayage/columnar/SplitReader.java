package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads doubles that were written as left and right parts:
 *
 * <pre>
 *   right bits u8 | dropped bits u8 | 0 u16 | stream of left parts, ints | stream of right parts, longs
 * </pre>
 *
 * See {@link RealSplit}. For one thread.
 */
final class SplitReader {
  private static final int BYTE_MASK = 0xFF;

  private final StreamReader child;
  private final long[] window = new long[Words.MINI];
  private final int[] leftWindow = new int[Words.MINI];
  private final long[] rightWindow = new long[Words.MINI];
  private int[] lefts = new int[0];
  private long[] rights = new long[0];

  SplitReader(StreamReader child) {
    this.child = child;
  }

  /** Reads a payload; what follows the last stream is the caller's business. */
  List<EncodingTree> read(ByteBuffer source, int count, Room room) throws ShipmentException {
    Malformed.unlessThere("the cut of real values", source, Integer.BYTES);
    int cut = source.getInt();
    int rightBits = cut & BYTE_MASK;
    int drop = cut >>> Byte.SIZE;
    if (!RealSplit.isValid(rightBits, drop) || room.kind() != Kind.DOUBLE) {
      throw Malformed.because("0x%08x is no cut of values of %s".formatted(cut, room.kind()));
    }
    if (lefts.length < count) {
      lefts = new int[count];
      rights = new long[count];
    }
    EncodingTree leftsTree = child.read(source, count, Room.of(Kind.INT, lefts));
    EncodingTree rightsTree = child.read(source, count, Room.of(Kind.LONG, rights));
    for (int from = 0; from < count; from += Words.MINI) {
      int n = Math.min(Words.MINI, count - from);
      System.arraycopy(lefts, from, leftWindow, 0, n);
      System.arraycopy(rights, from, rightWindow, 0, n);
      RealSplit.join(leftWindow, rightWindow, n, rightBits, drop, window);
      room.store(from, n, window);
    }
    return List.of(leftsTree, rightsTree);
  }
}
