package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.MiniBlock;

/**
 * The memory of the encodings of one depth, which work one at a time. Arrays keep their contents
 * until more is requested. Not thread-safe.
 */
public final class Workspace {
  private static final int MIN_LENGTH = 1_024;

  /** A mini-block of values of 32 bits. */
  public final int[] window = new int[MiniBlock.VALUES];

  /** A mini-block of values of 64 bits. */
  public final long[] wideWindow = new long[MiniBlock.VALUES];

  private final MiniBlock packing;
  private int[] ints = new int[0];
  private int[] codes = new int[0];
  private long[] longs = new long[0];
  private long[] bits = new long[0];

  /**
   * @param packing may be shared with other depths
   */
  public Workspace(MiniBlock packing) {
    this.packing = packing;
  }

  public MiniBlock packing() {
    return packing;
  }

  private static int length(int count) {
    return Integer.highestOneBit(Math.max(MIN_LENGTH, count) - 1) << 1;
  }

  /** Returns at least so many ints; the length is a power of two. */
  public int[] ints(int count) {
    if (ints.length < count) {
      ints = new int[length(count)];
    }
    return ints;
  }

  /** Returns at least so many other ints. */
  public int[] codes(int count) {
    if (codes.length < count) {
      codes = new int[Math.max(MIN_LENGTH, count)];
    }
    return codes;
  }

  /** Returns at least so many longs; the length is a power of two. */
  public long[] longs(int count) {
    if (longs.length < count) {
      longs = new long[length(count)];
    }
    return longs;
  }

  /** Returns at least so many words of bits. */
  public long[] bits(int words) {
    if (bits.length < words) {
      bits = new long[Math.max(MIN_LENGTH, words)];
    }
    return bits;
  }

  /** Returns the first values of {@link #longs} or {@link #ints}, with at least this length. */
  public Values values(Kind kind, int count) {
    return kind.isWide()
        ? new ArrayValues(kind, longs(count), count)
        : new ArrayValues(kind, ints(count), count);
  }

  /** Returns {@link #wideWindow} or {@link #window}. */
  public Object window(Kind kind) {
    return kind.isWide() ? wideWindow : window;
  }
}
