package io.drayage.columnar.kernel;

import java.util.Arrays;

/**
 * Reads bytes that {@link HuffmanCode} wrote, up to six at a look-up, from four streams in turns,
 * so that a processor reads four at a time. Not thread-safe.
 */
public final class HuffmanTable {
  /** Streams that are read in turns. */
  public static final int STREAMS = 4;

  /** The most bytes that a look-up gives. */
  private static final int MOST = 6;

  private static final int SIZE = 1 << HuffmanCode.MAX_BITS;
  private static final int MASK = (1 << Byte.SIZE) - 1;

  /** Of a word, what is above the bits that are looked up. */
  private static final int SHIFT = Long.SIZE - HuffmanCode.MAX_BITS;

  private static final int COUNT_SHIFT = Long.SIZE - Byte.SIZE;

  /** Look-ups that the bits of a word are enough for, wherever in a byte it begins. */
  private static final int LOOKUPS = 5;

  /** What these write at most, with what is written behind it. */
  private static final int STEP = (LOOKUPS - 1) * MOST + Long.BYTES;

  /** The byte whose code some bits begin with, and its length above. */
  private final int[] first = new int[SIZE];

  /**
   * The bits of some codes in the lowest byte, their bytes above it, their number in the highest.
   */
  private final long[] table = new long[SIZE];

  private final int[] next = new int[HuffmanCode.MAX_BITS + 1];

  /** What must be there to be read from where a stream of so many bytes begins, whatever it is. */
  public static int readableBytes(int count) {
    return (count * HuffmanCode.MAX_BITS + Byte.SIZE - 1) / Byte.SIZE + Long.BYTES;
  }

  /**
   * Takes a code.
   *
   * @param lengths of each byte's code, at most {@value HuffmanCode#MAX_BITS}; 0 of one without
   * @return whether they make a code: whatever bits come, they begin with exactly one
   */
  public boolean take(byte[] lengths) {
    Arrays.fill(next, 0);
    for (int length : lengths) {
      next[length] += length == 0 ? 0 : SIZE >>> length;
    }
    int taken = 0;
    for (int length = 1; length < next.length; length++) {
      int places = next[length];
      next[length] = taken;
      taken += places;
    }
    if (taken != SIZE) {
      return false;
    }
    for (int s = 0; s < lengths.length; s++) {
      int length = lengths[s];
      if (length > 0) {
        int from = next[length];
        next[length] = from + (SIZE >>> length);
        Arrays.fill(first, from, next[length], s | length << Byte.SIZE);
      }
    }
    for (int bits = 0; bits < SIZE; bits++) {
      table[bits] = together(bits);
    }
    return true;
  }

  /** The entry of what some bits begin with: as many bytes as they have whole codes of. */
  private long together(int bits) {
    int found = first[bits];
    int used = found >>> Byte.SIZE;
    long bytes = found & MASK;
    int number = 1;
    while (number < MOST) {
      found = first[(bits << used) & (SIZE - 1)];
      int length = found >>> Byte.SIZE;
      if (used + length > HuffmanCode.MAX_BITS) {
        break;
      }
      bytes |= (long) (found & MASK) << (number * Byte.SIZE);
      used += length;
      number++;
    }
    return ((long) number << COUNT_SHIFT) | (bytes << Byte.SIZE) | used;
  }

  /**
   * Reads {@value #STREAMS} streams, of a quarter of the bytes each, the last one of what remains.
   *
   * @param starts where each begins, and where the last one ends; from each one on, {@link
   *     #readableBytes} of what it has can be read
   * @return whether each ends with the byte before the next one
   */
  public boolean read(byte[] source, int[] starts, byte[] target, int count) {
    final long[] entries = table;
    final int quarter = count / STREAMS;
    int a = 0;
    int b = quarter;
    int c = 2 * quarter;
    int d = 3 * quarter;
    final int most = quarter - STEP;
    long bitA = (long) starts[0] * Byte.SIZE;
    long bitB = (long) starts[1] * Byte.SIZE;
    long bitC = (long) starts[2] * Byte.SIZE;
    long bitD = (long) starts[3] * Byte.SIZE;
    while (a <= most && b <= most + quarter && c <= most + 2 * quarter && d <= count - STEP) {
      // A bit below all that is looked up tells how far a word was shifted.
      long wordA = word(source, bitA);
      long wordB = word(source, bitB);
      long wordC = word(source, bitC);
      long wordD = word(source, bitD);
      for (int i = 0; i < LOOKUPS; i++) {
        long entry = entries[(int) (wordA >>> SHIFT) & (entries.length - 1)];
        Tans.LONGS.set(target, a, entry >>> Byte.SIZE);
        wordA <<= entry;
        a += (int) (entry >>> COUNT_SHIFT);
        entry = entries[(int) (wordB >>> SHIFT) & (entries.length - 1)];
        Tans.LONGS.set(target, b, entry >>> Byte.SIZE);
        wordB <<= entry;
        b += (int) (entry >>> COUNT_SHIFT);
        entry = entries[(int) (wordC >>> SHIFT) & (entries.length - 1)];
        Tans.LONGS.set(target, c, entry >>> Byte.SIZE);
        wordC <<= entry;
        c += (int) (entry >>> COUNT_SHIFT);
        entry = entries[(int) (wordD >>> SHIFT) & (entries.length - 1)];
        Tans.LONGS.set(target, d, entry >>> Byte.SIZE);
        wordD <<= entry;
        d += (int) (entry >>> COUNT_SHIFT);
      }
      bitA += Long.numberOfTrailingZeros(wordA);
      bitB += Long.numberOfTrailingZeros(wordB);
      bitC += Long.numberOfTrailingZeros(wordC);
      bitD += Long.numberOfTrailingZeros(wordD);
    }
    return endsAt(starts[1], readRest(source, bitA, target, a, quarter))
        && endsAt(starts[2], readRest(source, bitB, target, b, 2 * quarter))
        && endsAt(starts[3], readRest(source, bitC, target, c, 3 * quarter))
        && endsAt(starts[4], readRest(source, bitD, target, d, count));
  }

  private static long word(byte[] source, long bit) {
    return ((long) HuffmanCode.BIG_LONGS.get(source, (int) (bit >>> 3)) << (bit & 7)) | 1;
  }

  private static boolean endsAt(int end, long bit) {
    return (bit + Byte.SIZE - 1) / Byte.SIZE == end;
  }

  /** Reads what remains of a stream; the bit behind it. */
  private long readRest(byte[] source, long from, byte[] target, int at, int end) {
    long bit = from;
    int to = at;
    while (to <= end - STEP) {
      long word = word(source, bit);
      for (int i = 0; i < LOOKUPS; i++) {
        long entry = table[(int) (word >>> SHIFT) & (table.length - 1)];
        Tans.LONGS.set(target, to, entry >>> Byte.SIZE);
        word <<= entry;
        to += (int) (entry >>> COUNT_SHIFT);
      }
      bit += Long.numberOfTrailingZeros(word);
    }
    while (to < end) {
      int found = first[(int) (word(source, bit) >>> SHIFT)];
      target[to++] = (byte) found;
      bit += found >>> Byte.SIZE;
    }
    return bit;
  }
}
