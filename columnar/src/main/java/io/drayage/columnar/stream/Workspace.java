package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.MiniBlock;

/**
 * The memory of the encodings of one depth, of which one is at work at a time. Arrays keep what is
 * in them until more is asked for. Not thread-safe.
 */
public final class Workspace {
  private static final int MIN_LENGTH = 1_024;

  /** For a mini-block of values of 32 bits. */
  public final int[] window = new int[MiniBlock.VALUES];

  /** For a mini-block of values of 64 bits. */
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

  /** At least so many ints; a power of two. */
  public int[] ints(int count) {
    if (ints.length < count) {
      ints = new int[length(count)];
    }
    return ints;
  }

  /** At least so many other ints. */
  public int[] codes(int count) {
    if (codes.length < count) {
      codes = new int[Math.max(MIN_LENGTH, count)];
    }
    return codes;
  }

  /** At least so many longs; a power of two. */
  public long[] longs(int count) {
    if (longs.length < count) {
      longs = new long[length(count)];
    }
    return longs;
  }

  /** At least so many words of bits. */
  public long[] bits(int words) {
    if (bits.length < words) {
      bits = new long[Math.max(MIN_LENGTH, words)];
    }
    return bits;
  }

  /** What {@link #longs} or {@link #ints} hold, of which there are then at least so many. */
  public Values values(Kind kind, int count) {
    return kind.isWide()
        ? new ArrayValues(kind, longs(count), count)
        : new ArrayValues(kind, ints(count), count);
  }

  /** {@link #wideWindow} or {@link #window}. */
  public Object window(Kind kind) {
    return kind.isWide() ? wideWindow : window;
  }
}
