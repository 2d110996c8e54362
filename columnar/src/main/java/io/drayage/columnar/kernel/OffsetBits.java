package io.drayage.columnar.kernel;

/**
 * Offsets within bins, one after the other, lowest bits first. The bin determines the bits of an
 * offset.
 */
public final class OffsetBits {
  /** Maximum bits of an offset. */
  public static final int MAX_BITS = 62;

  /** Number of bytes after the last offset that {@link #write} and {@link #read} may access. */
  public static final int PADDING = 2 * Long.BYTES;

  /** Minimum bits of a word that are available, at any bit offset in a byte. */
  private static final int SURE_BITS = Long.SIZE - Byte.SIZE + 1;

  /** Number of offsets of so few bits that fit into a word together, at any bit offset. */
  private static final int TOGETHER = 4;

  private static final int FEW_BITS = SURE_BITS / TOGETHER;

  private OffsetBits() {}

  /**
   * Writes the offsets of numbers.
   *
   * @param bins of each number
   * @param lower bound of each bin; a number minus the bound is its offset
   * @param bits of each bin, at most {@value #MAX_BITS}
   * @param most maximum of {@code bits}
   * @param target has space for all and {@link #PADDING}
   * @return number of bytes written
   */
  public static int write(
      long[] numbers, int[] bins, int count, long[] lower, int[] bits, int most, byte[] target) {
    long open = 0;
    int openBits = 0;
    int at = 0;
    int together = most <= FEW_BITS ? count & -TOGETHER : 0;
    for (int i = 0; i < together; i += TOGETHER) {
      int bin = bins[i];
      open |= (numbers[i] - lower[bin]) << openBits;
      openBits += bits[bin];
      bin = bins[i + 1];
      open |= (numbers[i + 1] - lower[bin]) << openBits;
      openBits += bits[bin];
      bin = bins[i + 2];
      open |= (numbers[i + 2] - lower[bin]) << openBits;
      openBits += bits[bin];
      bin = bins[i + 3];
      open |= (numbers[i + 3] - lower[bin]) << openBits;
      openBits += bits[bin];
      Tans.LONGS.set(target, at, open);
      at += openBits >>> 3;
      open >>>= openBits & -Byte.SIZE;
      openBits &= Byte.SIZE - 1;
    }
    for (int i = together; i < count; i++) {
      int bin = bins[i];
      long offset = numbers[i] - lower[bin];
      int width = bits[bin];
      if (width >= SURE_BITS) {
        open |= (offset & 0xFFFFFFFFL) << openBits;
        Tans.LONGS.set(target, at, open);
        at += Integer.BYTES;
        open >>>= Integer.SIZE;
        offset >>>= Integer.SIZE;
        width -= Integer.SIZE;
      }
      open |= offset << openBits;
      Tans.LONGS.set(target, at, open);
      openBits += width;
      at += openBits >>> 3;
      open >>>= openBits & -Byte.SIZE;
      openBits &= Byte.SIZE - 1;
    }
    return at + (openBits > 0 ? 1 : 0);
  }

  /**
   * Reads numbers.
   *
   * @param bit the start of the first offset
   * @param step the factor of an offset
   * @param lower bound of each bin, which is added
   * @param bits of each bin, at most {@value #MAX_BITS}
   * @param most maximum of {@code bits}
   * @return the bit after the last offset
   */
  public static long read(
      byte[] source,
      long bit,
      int[] bins,
      int count,
      long step,
      long[] lower,
      int[] bits,
      int most,
      long[] numbers) {
    long at = bit;
    int together = most <= FEW_BITS ? count & -TOGETHER : 0;
    for (int i = 0; i < together; i += TOGETHER) {
      long word = (long) Tans.LONGS.get(source, (int) (at >>> 3)) >>> (at & 7);
      int bin = bins[i];
      int width = bits[bin];
      numbers[i] = lower[bin] + step * (word & ((1L << width) - 1));
      word >>>= width;
      at += width;
      bin = bins[i + 1];
      width = bits[bin];
      numbers[i + 1] = lower[bin] + step * (word & ((1L << width) - 1));
      word >>>= width;
      at += width;
      bin = bins[i + 2];
      width = bits[bin];
      numbers[i + 2] = lower[bin] + step * (word & ((1L << width) - 1));
      word >>>= width;
      at += width;
      bin = bins[i + 3];
      width = bits[bin];
      numbers[i + 3] = lower[bin] + step * (word & ((1L << width) - 1));
      at += width;
    }
    for (int i = together; i < count; i++) {
      int bin = bins[i];
      int width = bits[bin];
      int from = (int) (at >>> 3);
      int skipped = (int) at & 7;
      long word = (long) Tans.LONGS.get(source, from) >>> skipped;
      if (width >= SURE_BITS && skipped > 0) {
        word |= (long) source[from + Long.BYTES] << (Long.SIZE - skipped);
      }
      numbers[i] = lower[bin] + step * (word & ((1L << width) - 1));
      at += width;
    }
    return at;
  }
}
