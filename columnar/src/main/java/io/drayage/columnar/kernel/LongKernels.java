package io.drayage.columnar.kernel;

/** As {@link IntKernels}, for 64-bit values, which are packed as two halves. */
public final class LongKernels {
  private static final long LOW = 0xFFFFFFFFL;

  /** Rows that a mini-block is folded in. */
  private static final int FOLD = 128;

  private LongKernels() {}

  /** How many numbers {@link #ranges} finds. */
  public static final int RANGES = 5;

  /** The least and the most value. */
  public static void extremes(long[] values, int count, long[] found) {
    long least = values[0];
    long most = least;
    long otherLeast = values[count - 1];
    long otherMost = otherLeast;
    int even = count & ~1;
    for (int i = 0; i < even; i += 2) {
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
      otherLeast = Math.min(otherLeast, values[i + 1]);
      otherMost = Math.max(otherMost, values[i + 1]);
    }
    found[0] = Math.min(least, otherLeast);
    found[1] = Math.max(most, otherMost);
  }

  /**
   * The least and the most value, the least and the most difference between neighbours, and how
   * many values differ from the one before.
   */
  public static void ranges(long[] values, int count, long[] found) {
    long before = values[0];
    long least = before;
    long most = before;
    long leastDifference = count > 1 ? values[1] - before : 0;
    long mostDifference = leastDifference;
    int changes = 0;
    for (int i = 1; i < count; i++) {
      long value = values[i];
      long difference = value - before;
      least = Math.min(least, value);
      most = Math.max(most, value);
      leastDifference = Math.min(leastDifference, difference);
      mostDifference = Math.max(mostDifference, difference);
      changes += difference != 0 ? 1 : 0;
      before = value;
    }
    found[0] = least;
    found[1] = most;
    found[2] = leastDifference;
    found[3] = mostDifference;
    found[4] = changes;
  }

  /** {@code to[i]} is 1 if a value differs from the one before, else 0. */
  public static void changes(long[] values, int count, long before, int[] to) {
    for (int i = 1; i < count; i++) {
      long difference = values[i] ^ values[i - 1];
      to[i] = (int) ((difference | -difference) >>> 63);
    }
    to[0] = values[0] != before ? 1 : 0;
  }

  /**
   * A bit for each of 1,024 values that differs from the one before. Eight values that are 128
   * apart are compared side by side, which gives vectors, and their bits put into the bytes of a
   * long.
   *
   * @param folded of 128, for use within
   * @param to gets 16 words from {@code at} on
   */
  public static void changedBits(long[] values, long before, long[] folded, long[] to, int at) {
    for (int i = 1; i < FOLD; i++) {
      folded[i] =
          (changed(values[i] ^ values[i - 1]) >>> 63)
              | (changed(values[i + 128] ^ values[i + 127]) >>> 63 << 8)
              | (changed(values[i + 256] ^ values[i + 255]) >>> 63 << 16)
              | (changed(values[i + 384] ^ values[i + 383]) >>> 63 << 24)
              | (changed(values[i + 512] ^ values[i + 511]) >>> 63 << 32)
              | (changed(values[i + 640] ^ values[i + 639]) >>> 63 << 40)
              | (changed(values[i + 768] ^ values[i + 767]) >>> 63 << 48)
              | (changed(values[i + 896] ^ values[i + 895]) >>> 63 << 56);
    }
    folded[0] = changed(values[0] ^ before) >>> 63;
    for (int e = 1; e < 8; e++) {
      int i = e * FOLD;
      folded[0] |= changed(values[i] ^ values[i - 1]) >>> 63 << (8 * e);
    }
    unfold(folded, 0, to, at);
    unfold(folded, Long.SIZE, to, at + 1);
  }

  /** Its highest bit is set if a number is not 0. */
  private static long changed(long difference) {
    return difference | -difference;
  }

  /** Every other word, from {@code at} on, of the bits of 64 folded longs. */
  private static void unfold(long[] folded, int from, long[] to, int at) {
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    long e = 0;
    long f = 0;
    long g = 0;
    long h = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 8) {
      int i = from + shift;
      long bits =
          folded[i]
              | (folded[i + 1] << 1)
              | (folded[i + 2] << 2)
              | (folded[i + 3] << 3)
              | (folded[i + 4] << 4)
              | (folded[i + 5] << 5)
              | (folded[i + 6] << 6)
              | (folded[i + 7] << 7);
      a |= (bits & 0xFF) << shift;
      b |= ((bits >>> 8) & 0xFF) << shift;
      c |= ((bits >>> 16) & 0xFF) << shift;
      d |= ((bits >>> 24) & 0xFF) << shift;
      e |= ((bits >>> 32) & 0xFF) << shift;
      f |= ((bits >>> 40) & 0xFF) << shift;
      g |= ((bits >>> 48) & 0xFF) << shift;
      h |= (bits >>> 56) << shift;
    }
    to[at] = a;
    to[at + 2] = b;
    to[at + 4] = c;
    to[at + 6] = d;
    to[at + 8] = e;
    to[at + 10] = f;
    to[at + 12] = g;
    to[at + 14] = h;
  }

  /** {@code to[i] = values[i] - values[i - 1]}, and {@code first} at 0. */
  public static void differences(long[] values, int count, long first, long[] to) {
    for (int i = 1; i < count; i++) {
      to[i] = values[i] - values[i - 1];
    }
    to[0] = first;
  }

  public static void lowHalves(long[] values, int count, long reference, int[] low) {
    for (int i = 0; i < count; i++) {
      low[i] = (int) (values[i] - reference);
    }
  }

  public static void highHalves(long[] values, int count, long reference, int[] high) {
    for (int i = 0; i < count; i++) {
      high[i] = (int) ((values[i] - reference) >>> 32);
    }
  }

  public static void subtract(long[] values, int count, long reference, long[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = values[i] - reference;
    }
  }

  public static void widen(int[] low, int count, long reference, long[] values) {
    for (int i = 0; i < count; i++) {
      values[i] = reference + (low[i] & LOW);
    }
  }

  public static void widen(int[] low, int[] high, int count, long reference, long[] values) {
    for (int i = 0; i < count; i++) {
      values[i] = reference + (((long) high[i] << 32) | (low[i] & LOW));
    }
  }

  /** {@code values[i] = start + sum over j <= i of (low[j] + reference)}. */
  public static void prefixSums(int[] low, int count, long reference, long start, long[] values) {
    long sum = start;
    int whole = count & ~3;
    for (int i = 0; i < whole; i += 4) {
      // Only the last of four sums waits for the one before.
      long a = (low[i] & LOW) + reference;
      long b = a + (low[i + 1] & LOW) + reference;
      long c = b + (low[i + 2] & LOW) + reference;
      long d = c + (low[i + 3] & LOW) + reference;
      values[i] = sum + a;
      values[i + 1] = sum + b;
      values[i + 2] = sum + c;
      sum += d;
      values[i + 3] = sum;
    }
    for (int i = whole; i < count; i++) {
      sum += (low[i] & LOW) + reference;
      values[i] = sum;
    }
  }

  /** {@code values[i] = start + sum over j <= i of values[j]}. */
  public static void prefixSums(long[] values, int count, long start) {
    long sum = start;
    for (int i = 0; i < count; i++) {
      sum += values[i];
      values[i] = sum;
    }
  }

  /** The bits in which values differ from this one. */
  public static long differing(long[] values, int count, long from) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= values[i] ^ from;
    }
    return bits;
  }

  /** Subtracts, shifts and multiplies. */
  public static void divide(long[] values, int count, long reference, int shift, long inverse) {
    for (int i = 0; i < count; i++) {
      values[i] = ((values[i] - reference) >> shift) * inverse;
    }
  }

  /** Negative if a value is less than {@code -most} or more than {@code most}, else 0. */
  public static long beyond(long[] values, int count, long most) {
    long beyond = 0;
    for (int i = 0; i < count; i++) {
      beyond |= (most + values[i]) | (most - values[i]);
    }
    return beyond & Long.MIN_VALUE;
  }

  /** Multiplies and adds. */
  public static void multiply(long[] values, int count, long by, long reference, long[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = reference + by * values[i];
    }
  }
}
