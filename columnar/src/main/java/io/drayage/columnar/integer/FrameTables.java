package io.drayage.columnar.integer;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Ranges;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The tables after the mini-blocks of a frame: see {@link FrameEncoding}. Not thread-safe. */
final class FrameTables {
  /** Bytes for the widths of a mini-block, and for its widths, upper widths and counts. */
  private static final long WIDTH_BYTES = 1;

  private static final long PATCHED_WIDTH_BYTES = 4;

  private final boolean hasStarts;
  private final boolean patched;
  private int minis;

  /** Number of bits of a packed number in each mini-block. */
  byte[] widths = new byte[0];

  /** Number of upper bits of an exception in each mini-block; 0 without an exception. */
  byte[] upperWidths = new byte[0];

  /** Number of exceptions in each mini-block. */
  short[] patchCounts = new short[0];

  /** The reference of the packed numbers in each mini-block. */
  long[] references = new long[0];

  /** The first value of each mini-block, if differences are packed. */
  long[] starts = new long[0];

  FrameTables(int order, boolean patched) {
    this.hasStarts = order > 0;
    this.patched = patched;
  }

  /** Begins with another frame. */
  void begin(int newMinis) {
    minis = newMinis;
    if (widths.length < minis) {
      widths = new byte[minis];
      upperWidths = new byte[minis];
      patchCounts = new short[minis];
      references = new long[minis];
      starts = new long[minis];
    }
  }

  void set(int mini, long reference, int width, int upperWidth, int patchCount) {
    references[mini] = reference;
    widths[mini] = (byte) width;
    upperWidths[mini] = (byte) upperWidth;
    patchCounts[mini] = (short) patchCount;
  }

  /** Writes all tables. */
  void write(ByteBuffer target) {
    target.put(widths, 0, minis);
    if (patched) {
      target.put(upperWidths, 0, minis);
      target.asShortBuffer().put(patchCounts, 0, minis);
      target.position(target.position() + minis * Short.BYTES);
    }
    SmallTable.write(references, minis, target);
    if (hasStarts) {
      SmallTable.write(starts, minis, target);
    }
  }

  /** Reads the tables of so many mini-blocks: fewer than there are bytes. */
  void read(ByteBuffer source, int newMinis) throws ShipmentException {
    begin(newMinis);
    long bytes = minis * (patched ? PATCHED_WIDTH_BYTES : WIDTH_BYTES);
    Malformed.unlessThere("the widths of a frame", source, bytes);
    source.get(widths, 0, minis);
    if (patched) {
      source.get(upperWidths, 0, minis);
      source.asShortBuffer().get(patchCounts, 0, minis);
      source.position(source.position() + minis * Short.BYTES);
    } else {
      Arrays.fill(upperWidths, 0, minis, (byte) 0);
      Arrays.fill(patchCounts, 0, minis, (short) 0);
    }
    SmallTable.read(source, minis, references);
    if (hasStarts) {
      SmallTable.read(source, minis, starts);
    }
  }

  /** Checks all numbers, before any value is unpacked. */
  void check(int count, Kind kind, int packedBytes) throws ShipmentException {
    long bytes = 0;
    for (int mini = 0; mini < minis; mini++) {
      int number = Ranges.countOf(mini, count);
      int patchCount = patchCounts[mini];
      Malformed.unlessWithin("a width", widths[mini], 0, kind.bits());
      Malformed.unlessWithin("a number of exceptions", patchCount, 0, number);
      if (patchCount > 0) {
        Malformed.unlessWithin("a patched width", widths[mini], 0, kind.bits() - 1);
      }
      int maxUpper = patchCount > 0 ? kind.bits() + 1 - widths[mini] : 0;
      Malformed.unlessWithin("an upper width", upperWidths[mini], 0, Math.min(Long.SIZE, maxUpper));
      bytes += MiniBlock.bytes(number, widths[mini]) + Patches.bytes(patchCount, upperWidths[mini]);
    }
    if (bytes != packedBytes) {
      throw Malformed.because(
          format("packed values have %,d bytes, not the stated %,d", bytes, packedBytes));
    }
  }
}
