package io.drayage.columnar;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Byte planes: the first bytes of all values, then their second bytes, and so on, the least
 * significant first. They take as much room as the values; what they are for is a tail that finds
 * the planes of signs and exponents, which repeat, beside those of fractions, which do not.
 *
 * <p>Eight values are turned at a time, a square of 8 by 8 bytes in eight longs, by rounds of
 * exchanges: of single bytes, of pairs and of fours (Warren, "Hacker's Delight", 7-3). All
 * functions are pure.
 */
public final class BytePlanes {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int SQUARE = 8;
  private static final long BYTES = 0x00FF00FF00FF00FFL;
  private static final long PAIRS = 0x0000FFFF0000FFFFL;
  private static final long FOURS = 0x00000000FFFFFFFFL;

  private BytePlanes() {}

  /** The eight planes of longs; plane {@code p} from {@code p * count} on. */
  public static void split(long[] values, int count, byte[] planes) {
    int whole = count & -SQUARE;
    for (int i = 0; i < whole; i += SQUARE) {
      splitSquare(values, i, planes, count);
    }
    for (int i = whole; i < count; i++) {
      for (int plane = 0; plane < Long.BYTES; plane++) {
        planes[plane * count + i] = (byte) (values[i] >>> (plane * Byte.SIZE));
      }
    }
  }

  private static void splitSquare(long[] values, int i, byte[] planes, int count) {
    long ab0 = evenBytes(values[i], values[i + 1]);
    long ab1 = oddBytes(values[i], values[i + 1]);
    long cd0 = evenBytes(values[i + 2], values[i + 3]);
    long cd1 = oddBytes(values[i + 2], values[i + 3]);
    long ef0 = evenBytes(values[i + 4], values[i + 5]);
    long ef1 = oddBytes(values[i + 4], values[i + 5]);
    long gh0 = evenBytes(values[i + 6], values[i + 7]);
    long gh1 = oddBytes(values[i + 6], values[i + 7]);

    long ad0 = evenPairs(ab0, cd0);
    long ad1 = evenPairs(ab1, cd1);
    long ad2 = oddPairs(ab0, cd0);
    long ad3 = oddPairs(ab1, cd1);
    long eh0 = evenPairs(ef0, gh0);
    long eh1 = evenPairs(ef1, gh1);
    long eh2 = oddPairs(ef0, gh0);
    long eh3 = oddPairs(ef1, gh1);

    LONGS.set(planes, i, lowFours(ad0, eh0));
    LONGS.set(planes, i + count, lowFours(ad1, eh1));
    LONGS.set(planes, i + 2 * count, lowFours(ad2, eh2));
    LONGS.set(planes, i + 3 * count, lowFours(ad3, eh3));
    LONGS.set(planes, i + 4 * count, highFours(ad0, eh0));
    LONGS.set(planes, i + 5 * count, highFours(ad1, eh1));
    LONGS.set(planes, i + 6 * count, highFours(ad2, eh2));
    LONGS.set(planes, i + 7 * count, highFours(ad3, eh3));
  }

  /** Puts eight planes of longs together again. */
  public static void join(byte[] planes, int count, long[] values) {
    int whole = count & -SQUARE;
    for (int i = 0; i < whole; i += SQUARE) {
      joinSquare(planes, count, values, i);
    }
    for (int i = whole; i < count; i++) {
      long value = 0;
      for (int plane = 0; plane < Long.BYTES; plane++) {
        value |= (planes[plane * count + i] & 0xFFL) << (plane * Byte.SIZE);
      }
      values[i] = value;
    }
  }

  /** The exchanges that split a square undo that too. */
  private static void joinSquare(byte[] planes, int count, long[] values, int i) {
    long a = (long) LONGS.get(planes, i);
    long b = (long) LONGS.get(planes, i + count);
    long c = (long) LONGS.get(planes, i + 2 * count);
    long d = (long) LONGS.get(planes, i + 3 * count);
    long e = (long) LONGS.get(planes, i + 4 * count);
    long f = (long) LONGS.get(planes, i + 5 * count);
    long g = (long) LONGS.get(planes, i + 6 * count);
    long h = (long) LONGS.get(planes, i + 7 * count);

    long ad0 = evenPairs(evenBytes(a, b), evenBytes(c, d));
    long ad1 = evenPairs(oddBytes(a, b), oddBytes(c, d));
    long ad2 = oddPairs(evenBytes(a, b), evenBytes(c, d));
    long ad3 = oddPairs(oddBytes(a, b), oddBytes(c, d));
    long eh0 = evenPairs(evenBytes(e, f), evenBytes(g, h));
    long eh1 = evenPairs(oddBytes(e, f), oddBytes(g, h));
    long eh2 = oddPairs(evenBytes(e, f), evenBytes(g, h));
    long eh3 = oddPairs(oddBytes(e, f), oddBytes(g, h));

    values[i] = lowFours(ad0, eh0);
    values[i + 1] = lowFours(ad1, eh1);
    values[i + 2] = lowFours(ad2, eh2);
    values[i + 3] = lowFours(ad3, eh3);
    values[i + 4] = highFours(ad0, eh0);
    values[i + 5] = highFours(ad1, eh1);
    values[i + 6] = highFours(ad2, eh2);
    values[i + 7] = highFours(ad3, eh3);
  }

  /** The four planes of ints; plane {@code p} from {@code p * count} on. */
  public static void split(int[] values, int count, byte[] planes) {
    int whole = count & -SQUARE;
    for (int i = 0; i < whole; i += SQUARE) {
      long a = pair(values[i], values[i + 4]);
      long b = pair(values[i + 1], values[i + 5]);
      long c = pair(values[i + 2], values[i + 6]);
      long d = pair(values[i + 3], values[i + 7]);
      LONGS.set(planes, i, evenPairs(evenBytes(a, b), evenBytes(c, d)));
      LONGS.set(planes, i + count, evenPairs(oddBytes(a, b), oddBytes(c, d)));
      LONGS.set(planes, i + 2 * count, oddPairs(evenBytes(a, b), evenBytes(c, d)));
      LONGS.set(planes, i + 3 * count, oddPairs(oddBytes(a, b), oddBytes(c, d)));
    }
    for (int i = whole; i < count; i++) {
      for (int plane = 0; plane < Integer.BYTES; plane++) {
        planes[plane * count + i] = (byte) (values[i] >>> (plane * Byte.SIZE));
      }
    }
  }

  /** Puts four planes of ints together again. */
  public static void join(byte[] planes, int count, int[] values) {
    int whole = count & -SQUARE;
    for (int i = 0; i < whole; i += SQUARE) {
      joinInts(planes, count, values, i);
    }
    for (int i = whole; i < count; i++) {
      int value = 0;
      for (int plane = 0; plane < Integer.BYTES; plane++) {
        value |= (planes[plane * count + i] & 0xFF) << (plane * Byte.SIZE);
      }
      values[i] = value;
    }
  }

  private static void joinInts(byte[] planes, int count, int[] values, int i) {
    long p0 = (long) LONGS.get(planes, i);
    long p1 = (long) LONGS.get(planes, i + count);
    long p2 = (long) LONGS.get(planes, i + 2 * count);
    long p3 = (long) LONGS.get(planes, i + 3 * count);
    long a = evenPairs(evenBytes(p0, p1), evenBytes(p2, p3));
    long b = evenPairs(oddBytes(p0, p1), oddBytes(p2, p3));
    long c = oddPairs(evenBytes(p0, p1), evenBytes(p2, p3));
    long d = oddPairs(oddBytes(p0, p1), oddBytes(p2, p3));
    values[i] = (int) a;
    values[i + 1] = (int) b;
    values[i + 2] = (int) c;
    values[i + 3] = (int) d;
    values[i + 4] = (int) (a >>> 32);
    values[i + 5] = (int) (b >>> 32);
    values[i + 6] = (int) (c >>> 32);
    values[i + 7] = (int) (d >>> 32);
  }

  private static long pair(int low, int high) {
    return (low & FOURS) | (long) high << 32;
  }

  private static long evenBytes(long a, long b) {
    return (a & BYTES) | (b & BYTES) << 8;
  }

  private static long oddBytes(long a, long b) {
    return (a >>> 8 & BYTES) | (b & ~BYTES);
  }

  private static long evenPairs(long a, long b) {
    return (a & PAIRS) | (b & PAIRS) << 16;
  }

  private static long oddPairs(long a, long b) {
    return (a >>> 16 & PAIRS) | (b & ~PAIRS);
  }

  private static long lowFours(long a, long b) {
    return (a & FOURS) | b << 32;
  }

  private static long highFours(long a, long b) {
    return a >>> 32 | (b & ~FOURS);
  }
}
