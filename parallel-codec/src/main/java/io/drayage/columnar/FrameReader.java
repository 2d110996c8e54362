package io.drayage.columnar;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads the encodings that pack what values, or differences, exceed a reference by:
 *
 * <pre>
 *   +--------------+-------------------+--------+----------------+--------------+------------+--------+
 *   | packed bytes | mini-blocks of    | widths | patched: upper | patched:     | references | starts |
 *   | i32          | 1,024 values ...  | u8 ... | widths u8 ...  | counts u16...| SmallTable | ...    |
 *   +--------------+-------------------+--------+----------------+--------------+------------+--------+
 * </pre>
 *
 * The starts are the first value of each mini-block, for order 1 only; its difference is packed as
 * 0. A mini-block is its packed lower bits and its {@link Patches}. Not thread-safe.
 */
final class FrameReader {
  private final Words words;
  private final Patches patches = new Patches();
  private final SmallTable table = new SmallTable();
  private final long[] wideWindow = new long[Words.MINI];
  private byte[] widths = new byte[0];
  private byte[] upperWidths = new byte[0];
  private short[] patchCounts = new short[0];
  private long[] references = new long[0];
  private long[] firsts = new long[0];

  FrameReader(Words words) {
    this.words = words;
  }

  /**
   * Reads exactly the remaining bytes of a payload.
   *
   * @param count how many values there are, known to be allowed
   */
  void read(ByteBuffer source, int count, int order, boolean patched, Room room)
      throws ShipmentException {
    int minis = Statistics.minis(count);
    Malformed.unlessThere("a frame", source, Integer.BYTES);
    int packedBytes = source.getInt();
    Malformed.unlessWithin(
        "a length of packed values", packedBytes, 0, (long) source.remaining() - minis);
    ensureRoom(minis);
    int packedAt = source.position();
    source.position(packedAt + packedBytes);
    readTables(source, minis, order, patched);
    Malformed.unlessExactly("the end of a frame", source, 0);
    checkWidths(count, minis, room.kind(), packedBytes);
    source.position(packedAt);
    for (int mini = 0; mini < minis; mini++) {
      readMini(source, mini, Statistics.countOf(mini, count), order, room);
    }
    source.position(source.limit());
  }

  private void ensureRoom(int minis) {
    if (widths.length < minis) {
      widths = new byte[minis];
      upperWidths = new byte[minis];
      patchCounts = new short[minis];
      references = new long[minis];
      firsts = new long[minis];
    }
  }

  private void readTables(ByteBuffer source, int minis, int order, boolean patched)
      throws ShipmentException {
    Malformed.unlessThere("the widths of a frame", source, minis * (patched ? 4L : 1L));
    source.get(widths, 0, minis);
    if (patched) {
      source.get(upperWidths, 0, minis);
      source.asShortBuffer().get(patchCounts, 0, minis);
      source.position(source.position() + minis * Short.BYTES);
    } else {
      Arrays.fill(upperWidths, 0, minis, (byte) 0);
      Arrays.fill(patchCounts, 0, minis, (short) 0);
    }
    table.read(source, minis, references);
    if (order > 0) {
      table.read(source, minis, firsts);
    }
  }

  /** All numbers, before anything is unpacked. */
  private void checkWidths(int count, int minis, Kind kind, int packedBytes)
      throws ShipmentException {
    long bytes = 0;
    for (int mini = 0; mini < minis; mini++) {
      int number = Statistics.countOf(mini, count);
      int patchCount = patchCounts[mini];
      Malformed.unlessWithin("a width", widths[mini], 0, kind.bits());
      Malformed.unlessWithin("a number of exceptions", patchCount, 0, number);
      if (patchCount > 0) {
        Malformed.unlessWithin("a patched width", widths[mini], 0, kind.bits() - 1);
      }
      int maxUpper = patchCount > 0 ? kind.bits() + 1 - widths[mini] : 0;
      Malformed.unlessWithin("an upper width", upperWidths[mini], 0, Math.min(Long.SIZE, maxUpper));
      bytes += Words.bytes(number, widths[mini]) + Patches.bytes(patchCount, upperWidths[mini]);
    }
    if (bytes != packedBytes) {
      throw Malformed.because(
          "packed values take %,d bytes, stated are %,d".formatted(bytes, packedBytes));
    }
  }

  private void readMini(ByteBuffer source, int mini, int count, int order, Room room)
      throws ShipmentException {
    int width = widths[mini];
    int patchCount = patchCounts[mini];
    words.read(source, count, width);
    if (patchCount > 0) {
      patches.read(source, count, patchCount, upperWidths[mini]);
    }
    if (room.kind().isWide()) {
      joinWide(mini, count, order, width, patchCount > 0);
      room.store(mini * Words.MINI, count, wideWindow);
    } else {
      joinNarrow(mini, count, order, width, patchCount > 0);
      room.store(mini * Words.MINI, count, words.low);
    }
  }

  private void joinNarrow(int mini, int count, int order, int width, boolean patched) {
    int[] low = words.low;
    int reference = (int) references[mini];
    if (patched) {
      patches.apply(low, width);
    }
    if (order == 0) {
      IntKernels.add(low, count, reference);
    } else {
      IntKernels.prefixSums(low, count, reference, (int) firsts[mini] - reference);
    }
  }

  private void joinWide(int mini, int count, int order, int width, boolean patched) {
    long reference = references[mini];
    if (order == 1 && !patched && width <= Integer.SIZE) {
      LongKernels.prefixSums(words.low, count, reference, firsts[mini] - reference, wideWindow);
      return;
    }
    if (width > Integer.SIZE) {
      LongKernels.widen(words.low, words.high, count, reference, wideWindow);
    } else {
      LongKernels.widen(words.low, count, reference, wideWindow);
    }
    if (patched) {
      patches.apply(wideWindow, width);
    }
    if (order == 1) {
      LongKernels.prefixSums(wideWindow, count, firsts[mini] - reference);
    }
  }
}
