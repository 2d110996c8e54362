package io.drayage.columnar.kernel;

import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Packs 4,096 values of 8 or 16 bits, eight or four of them in each {@code long}. Loops go over
 * rows of 64 longs from index 0 on, with the same index everywhere, so that they are vectorised.
 * Not thread-safe.
 *
 * <p>Values of {@code f} bits have {@code f} rows. Field {@code i} of row {@code r} is value {@code
 * r * 4096 / f + i}; packed to {@code w} bits, they have {@code w} rows of words. The fields of one
 * index follow each other, lowest bits first.
 */
public final class NarrowBlock {
  public static final int VALUES = 4096;

  /** Number of longs in a row. */
  public static final int ROW = 64;

  public static final int ROW_BYTES = ROW * Long.BYTES;

  /** Maximum bits of a value. */
  public static final int MAX_FIELD = 16;

  private final long[][] rows = new long[MAX_FIELD][ROW];
  private final long[][] words = new long[MAX_FIELD][ROW];
  private final long[] least = new long[ROW];
  private final long[] most = new long[ROW];
  private int min;
  private int max;

  /** Returns a number in every field of {@code field} bits. */
  public static long repeat(int field, int number) {
    long ones = field == Byte.SIZE ? 0x0101010101010101L : 0x0001000100010001L;
    return ones * (number & ((1 << field) - 1));
  }

  private static long low(int field, int bits) {
    return repeat(field, (1 << bits) - 1);
  }

  private static long high(int field) {
    return repeat(field, 1 << (field - 1));
  }

  /** Loads raw values from index 0 of a buffer on. */
  public void load(LongBuffer source, int field) {
    for (int r = 0; r < field; r++) {
      source.get(r * ROW, rows[r], 0, ROW);
    }
  }

  /** Stores raw values from index 0 of a buffer on. */
  public void store(LongBuffer target, int field) {
    for (int r = 0; r < field; r++) {
      target.put(r * ROW, rows[r], 0, ROW);
    }
  }

  /**
   * Finds bounds for {@link #min} and {@link #max}, from the AND and the OR of all values. The
   * bounds are exact if the values fill a range of a power of two. This needs a tenth of the time.
   */
  public void findBounds(int field) {
    System.arraycopy(rows[0], 0, least, 0, ROW);
    System.arraycopy(rows[0], 0, most, 0, ROW);
    for (int r = 1; r < field; r++) {
      gather(rows[r], least, most);
    }
    long all = least[0];
    long any = most[0];
    for (int i = 1; i < ROW; i++) {
      all &= least[i];
      any |= most[i];
    }
    int bitsOfAll = -1;
    int bitsOfAny = 0;
    for (int shift = 0; shift < Long.SIZE; shift += field) {
      bitsOfAll &= (int) (all >>> shift);
      bitsOfAny |= (int) (any >>> shift);
    }
    // The minimum has the sign if any value has it, the maximum only if all have it.
    int sign = 1 << (field - 1);
    min = signed((bitsOfAll & ~sign) | (bitsOfAny & sign), field);
    max = signed((bitsOfAny & ~sign) | (bitsOfAll & sign), field);
  }

  private static void gather(long[] row, long[] all, long[] any) {
    for (int i = 0; i < ROW; i++) {
      all[i] = all[i] & row[i];
      any[i] = any[i] | row[i];
    }
  }

  /** Finds {@link #min} and {@link #max}. */
  public void findExtremes(int field) {
    long high = high(field);
    System.arraycopy(rows[0], 0, least, 0, ROW);
    System.arraycopy(rows[0], 0, most, 0, ROW);
    for (int r = 0; r < field; r += 2) {
      widen(rows[r], rows[r + 1], least, most, high, field - 1);
    }
    long l = least[0];
    long m = most[0];
    for (int i = 1; i < ROW; i++) {
      l ^= (l ^ least[i]) & atLeast(l, least[i], high, field - 1);
      m = most[i] ^ ((m ^ most[i]) & atLeast(m, most[i], high, field - 1));
    }
    min = Integer.MAX_VALUE;
    max = Integer.MIN_VALUE;
    for (int shift = 0; shift < Long.SIZE; shift += field) {
      min = Math.min(min, signed(l >>> shift, field));
      max = Math.max(max, signed(m >>> shift, field));
    }
  }

  private static int signed(long bits, int field) {
    return (int) bits << (Integer.SIZE - field) >> (Integer.SIZE - field);
  }

  /** Returns all bits of the fields in which {@code x} is not below {@code y}, with a sign. */
  private static long atLeast(long x, long y, long high, int shift) {
    long at = ((~x & y) | (~(x ^ y) & ((x | high) - (y & ~high)))) & high;
    return (at << 1) - (at >>> shift);
  }

  private static void widen(long[] a, long[] b, long[] least, long[] most, long high, int shift) {
    for (int i = 0; i < ROW; i++) {
      long swap = (a[i] ^ b[i]) & atLeast(a[i], b[i], high, shift);
      long smaller = a[i] ^ swap;
      long larger = b[i] ^ swap;
      long fromLeast = (smaller ^ least[i]) & atLeast(smaller, least[i], high, shift);
      long fromMost = (larger ^ most[i]) & atLeast(larger, most[i], high, shift);
      least[i] = smaller ^ fromLeast;
      most[i] = most[i] ^ fromMost;
    }
  }

  public int min() {
    return min;
  }

  public int max() {
    return max;
  }

  /**
   * Packs the values' excess over a reference.
   *
   * @param width 1 to {@code field}
   * @param reference the least possible value, plus {@code 1 << field - 1} so that it is not
   *     negative; at most {@code (1 << field) - (1 << width)}
   */
  public void pack(int field, int width, int reference, LongBuffer target) {
    long high = high(field);
    long subtrahend = repeat(field, reference);
    for (int r = 0; r < field; r++) {
      int at = r * width;
      int shift = at & (field - 1);
      int fits = field - shift;
      int word = at / field;
      if (shift == 0) {
        begin(rows[r], words[word], high, subtrahend);
      } else {
        append(rows[r], words[word], high, subtrahend, low(field, Math.min(fits, width)), shift);
        if (width > fits) {
          carry(rows[r], words[word + 1], high, subtrahend, low(field, width - fits), fits);
        }
      }
    }
    for (int w = 0; w < width; w++) {
      target.put(words[w], 0, ROW);
    }
  }

  private static void begin(long[] row, long[] word, long high, long subtrahend) {
    for (int i = 0; i < ROW; i++) {
      word[i] = (row[i] ^ high) - subtrahend;
    }
  }

  private static void append(
      long[] row, long[] word, long high, long subtrahend, long mask, int shift) {
    for (int i = 0; i < ROW; i++) {
      word[i] = word[i] | ((((row[i] ^ high) - subtrahend) & mask) << shift);
    }
  }

  private static void carry(
      long[] row, long[] word, long high, long subtrahend, long mask, int shift) {
    for (int i = 0; i < ROW; i++) {
      word[i] = (((row[i] ^ high) - subtrahend) >>> shift) & mask;
    }
  }

  /** Reverses {@link #pack}; a width of 0 has no words. */
  public void unpack(LongBuffer source, int field, int width, int reference) {
    long high = high(field);
    long summand = repeat(field, reference);
    for (int w = 0; w < width; w++) {
      source.get(words[w], 0, ROW);
    }
    for (int r = 0; r < field; r++) {
      int at = r * width;
      int shift = at & (field - 1);
      int fits = field - shift;
      int word = at / field;
      if (width == 0) {
        Arrays.fill(rows[r], summand ^ high);
      } else if (width <= fits) {
        extract(words[word], rows[r], high, summand, low(field, width), shift);
      } else {
        join(
            words[word],
            words[word + 1],
            rows[r],
            high,
            summand,
            low(field, fits),
            low(field, width - fits),
            shift,
            fits);
      }
    }
  }

  private static void extract(
      long[] word, long[] row, long high, long summand, long mask, int shift) {
    for (int i = 0; i < ROW; i++) {
      row[i] = (((word[i] >>> shift) & mask) + summand) ^ high;
    }
  }

  private static void join(
      long[] word,
      long[] next,
      long[] row,
      long high,
      long summand,
      long lowMask,
      long highMask,
      int shift,
      int fits) {
    for (int i = 0; i < ROW; i++) {
      long number = ((word[i] >>> shift) & lowMask) | ((next[i] & highMask) << fits);
      row[i] = (number + summand) ^ high;
    }
  }
}
