package io.drayage.columnar;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the encodings that pack what values, or differences, exceed a reference by: FOR, DELTA and
 * their patched forms. The layout is that of {@link FrameReader}. For one thread.
 */
final class FrameWriter {
  private final Words words;
  private final Patches patches = new Patches();
  private final SmallTable table = new SmallTable();
  private final int[] window = new int[Words.MINI];
  private final int[] differences = new int[Words.MINI];
  private final long[] wideWindow = new long[Words.MINI];
  private final long[] wideDifferences = new long[Words.MINI];
  private byte[] widths = new byte[0];
  private byte[] upperWidths = new byte[0];
  private short[] patchCounts = new short[0];
  private long[] references = new long[0];

  FrameWriter(Words words) {
    this.words = words;
  }

  /** At most what the tables of a stream take. */
  static long maxTableBytes(int minis, int order, boolean patched) {
    return Integer.BYTES + minis * (patched ? 4L : 1L) + (1 + order) * SmallTable.maxBytes(minis);
  }

  /** Writes a payload. */
  void write(
      Values values,
      Statistics statistics,
      int order,
      @Nullable Patching patching,
      ByteBuffer target) {
    int minis = statistics.minis();
    ensureRoom(minis);
    int lengthAt = target.position();
    target.putInt(0);
    for (int mini = 0; mini < minis; mini++) {
      long reference = statistics.reference(mini, order);
      int width = statistics.width(mini, order);
      int count = Statistics.countOf(mini, values.count());
      if (values.kind().isWide()) {
        wideMini(values, mini, count, order, reference, width, patching, target);
      } else {
        narrowMini(values, mini, count, order, reference, width, patching, target);
      }
    }
    target.putInt(lengthAt, target.position() - lengthAt - Integer.BYTES);
    target.put(widths, 0, minis);
    if (patching != null) {
      target.put(upperWidths, 0, minis);
      target.asShortBuffer().put(patchCounts, 0, minis);
      target.position(target.position() + minis * Short.BYTES);
    }
    table.write(references, minis, target);
    if (order > 0) {
      table.write(statistics.starts(), minis, target);
    }
  }

  private void ensureRoom(int minis) {
    if (widths.length < minis) {
      widths = new byte[minis];
      upperWidths = new byte[minis];
      patchCounts = new short[minis];
      references = new long[minis];
    }
  }

  private void narrowMini(
      Values values,
      int mini,
      int count,
      int order,
      long reference,
      int width,
      @Nullable Patching patching,
      ByteBuffer target) {
    values.load(mini * Words.MINI, count, window);
    int[] residuals = window;
    if (order > 0) {
      IntKernels.differences(window, count, (int) reference, differences);
      residuals = differences;
    }
    if (patching != null && patching.width() < width) {
      IntKernels.subtract(residuals, count, (int) patching.reference(), words.low);
      for (int i = 0; i < Math.min(order, count); i++) {
        words.low[i] = 0; // the starts say it
      }
      patches.collect(words.low, count, patching.width());
      if (isPatchedShorter(count, width, patching)) {
        writePatched(mini, count, patching, target);
        return;
      }
    }
    IntKernels.subtract(residuals, count, (int) reference, words.low);
    writeWhole(mini, count, reference, width, target);
  }

  private void wideMini(
      Values values,
      int mini,
      int count,
      int order,
      long reference,
      int width,
      @Nullable Patching patching,
      ByteBuffer target) {
    values.load(mini * Words.MINI, count, wideWindow);
    long[] residuals = wideWindow;
    if (order > 0) {
      LongKernels.differences(wideWindow, count, reference, wideDifferences);
      residuals = wideDifferences;
    }
    if (patching != null && patching.width() < width) {
      long[] rest = residuals == wideWindow ? wideDifferences : wideWindow;
      LongKernels.subtract(residuals, count, patching.reference(), rest);
      for (int i = 0; i < Math.min(order, count); i++) {
        rest[i] = 0; // the starts say it
      }
      patches.collect(rest, count, patching.width());
      if (isPatchedShorter(count, width, patching)) {
        LongKernels.lowHalves(rest, count, 0, words.low);
        if (patching.width() > Integer.SIZE) {
          LongKernels.highHalves(rest, count, 0, words.high);
        }
        writePatched(mini, count, patching, target);
        return;
      }
    }
    LongKernels.lowHalves(residuals, count, reference, words.low);
    if (width > Integer.SIZE) {
      LongKernels.highHalves(residuals, count, reference, words.high);
    }
    writeWhole(mini, count, reference, width, target);
  }

  private boolean isPatchedShorter(int count, int width, Patching patching) {
    return Words.bytes(count, patching.width()) + patches.bytes() < Words.bytes(count, width);
  }

  private void writePatched(int mini, int count, Patching patching, ByteBuffer target) {
    widths[mini] = (byte) patching.width();
    references[mini] = patching.reference();
    upperWidths[mini] = (byte) patches.upperWidth();
    patchCounts[mini] = (short) patches.count();
    words.write(count, patching.width(), target);
    patches.write(target);
  }

  private void writeWhole(int mini, int count, long reference, int width, ByteBuffer target) {
    widths[mini] = (byte) width;
    references[mini] = reference;
    upperWidths[mini] = 0;
    patchCounts[mini] = 0;
    words.write(count, width, target);
  }
}
