package io.drayage.columnar.kernel;

/**
 * Loops over windows of 32-bit values, from index 0 on, so that what is loaded and what is stored
 * have the same index. Arithmetic wraps.
 */
public final class IntKernels {
  private IntKernels() {}

  /** Rows that a mini-block is folded in. */
  public static final int FOLD = 256;

  private static final int LANES = 64;

  /** Values of at most so many bits, sign included, may be subtracted from each other twice. */
  private static final int SAFE_BITS = 30;

  /**
   * Whether no value is beyond 30 bits, so that {@link #least} and {@link #most} may be asked.
   *
   * @param values 1,024
   * @param lanes of {@link #FOLD}, for use within
   */
  public static boolean areSafe(int[] values, int[] lanes) {
    for (int i = 0; i < FOLD; i++) {
      lanes[i] =
          (values[i] ^ (values[i] >> 31))
              | (values[i + 256] ^ (values[i + 256] >> 31))
              | (values[i + 512] ^ (values[i + 512] >> 31))
              | (values[i + 768] ^ (values[i + 768] >> 31));
    }
    int seen = 0;
    for (int i = 0; i < FOLD; i++) {
      seen |= lanes[i];
    }
    return seen >>> (SAFE_BITS - 1) == 0;
  }

  /**
   * The least of 1,024 values that are safe, or differences of such. By arithmetic: not every
   * compiler makes vectors of comparisons.
   */
  public static int least(int[] values, int[] lanes) {
    for (int i = 0; i < FOLD; i++) {
      int a = values[i] - values[i + 256];
      int b = values[i + 512] - values[i + 768];
      int c = values[i + 256] + (a & (a >> 31));
      int d = values[i + 768] + (b & (b >> 31));
      int e = c - d;
      lanes[i] = d + (e & (e >> 31));
    }
    for (int i = 0; i < LANES; i++) {
      int a = lanes[i] - lanes[i + 64];
      int b = lanes[i + 128] - lanes[i + 192];
      int c = lanes[i + 64] + (a & (a >> 31));
      int d = lanes[i + 192] + (b & (b >> 31));
      int e = c - d;
      lanes[i] = d + (e & (e >> 31));
    }
    return min(lanes, LANES);
  }

  /** The most of 1,024 values, as {@link #least}. */
  public static int most(int[] values, int[] lanes) {
    for (int i = 0; i < FOLD; i++) {
      int a = values[i] - values[i + 256];
      int b = values[i + 512] - values[i + 768];
      int c = values[i] - (a & (a >> 31));
      int d = values[i + 512] - (b & (b >> 31));
      int e = c - d;
      lanes[i] = c - (e & (e >> 31));
    }
    for (int i = 0; i < LANES; i++) {
      int a = lanes[i] - lanes[i + 64];
      int b = lanes[i + 128] - lanes[i + 192];
      int c = lanes[i] - (a & (a >> 31));
      int d = lanes[i + 128] - (b & (b >> 31));
      int e = c - d;
      lanes[i] = c - (e & (e >> 31));
    }
    return max(lanes, LANES);
  }

  /** How many of 1,024 values are not 0. */
  public static int nonZeros(int[] values, int[] lanes) {
    for (int i = 0; i < FOLD; i++) {
      lanes[i] =
          ((values[i] | -values[i]) >>> 31)
              + ((values[i + 256] | -values[i + 256]) >>> 31)
              + ((values[i + 512] | -values[i + 512]) >>> 31)
              + ((values[i + 768] | -values[i + 768]) >>> 31);
    }
    int sum = 0;
    for (int i = 0; i < FOLD; i++) {
      sum += lanes[i];
    }
    return sum;
  }

  public static int min(int[] values, int count) {
    int min = values[0];
    for (int i = 0; i < count; i++) {
      min = Math.min(min, values[i]);
    }
    return min;
  }

  public static int max(int[] values, int count) {
    int max = values[0];
    for (int i = 0; i < count; i++) {
      max = Math.max(max, values[i]);
    }
    return max;
  }

  /**
   * The least and the most value, the least and the most difference between neighbours, and how
   * many values differ from the one before.
   */
  public static void ranges(int[] values, int count, long[] found) {
    int before = values[0];
    int least = before;
    int most = before;
    int leastDifference = count > 1 ? values[1] - before : 0;
    int mostDifference = leastDifference;
    int changes = 0;
    for (int i = 1; i < count; i++) {
      int value = values[i];
      int difference = value - before;
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
  public static void changes(int[] values, int count, int before, int[] to) {
    for (int i = 1; i < count; i++) {
      int difference = values[i] ^ values[i - 1];
      to[i] = (difference | -difference) >>> 31;
    }
    to[0] = values[0] != before ? 1 : 0;
  }

  /**
   * A bit for each of 1,024 values that differs from the one before. Four values that are 256 apart
   * are compared side by side, which gives vectors, and their bits put into the bytes of an int.
   *
   * @param folded of 256, for use within
   * @param to gets 16 words from {@code at} on
   */
  public static void changedBits(int[] values, int before, int[] folded, long[] to, int at) {
    for (int i = 1; i < FOLD; i++) {
      folded[i] =
          (changed(values[i] ^ values[i - 1]) >>> 31)
              | (changed(values[i + 256] ^ values[i + 255]) >>> 31 << 8)
              | (changed(values[i + 512] ^ values[i + 511]) >>> 31 << 16)
              | (changed(values[i + 768] ^ values[i + 767]) >>> 31 << 24);
    }
    folded[0] =
        (changed(values[0] ^ before) >>> 31)
            | (changed(values[256] ^ values[255]) >>> 31 << 8)
            | (changed(values[512] ^ values[511]) >>> 31 << 16)
            | (changed(values[768] ^ values[767]) >>> 31 << 24);
    for (int w = 0; w < 4; w++) {
      unfold(folded, w << 6, to, at + w);
    }
  }

  /** Its highest bit is set if a number is not 0. */
  private static int changed(int difference) {
    return difference | -difference;
  }

  /** Every fourth word, from {@code at} on, of the bits of 64 folded ints. */
  private static void unfold(int[] folded, int from, long[] to, int at) {
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 8) {
      int i = from + shift;
      int bits =
          folded[i]
              | (folded[i + 1] << 1)
              | (folded[i + 2] << 2)
              | (folded[i + 3] << 3)
              | (folded[i + 4] << 4)
              | (folded[i + 5] << 5)
              | (folded[i + 6] << 6)
              | (folded[i + 7] << 7);
      a |= (bits & 0xFFL) << shift;
      b |= ((bits >>> 8) & 0xFFL) << shift;
      c |= ((bits >>> 16) & 0xFFL) << shift;
      d |= ((bits >>> 24) & 0xFFL) << shift;
    }
    to[at] = a;
    to[at + 4] = b;
    to[at + 8] = c;
    to[at + 12] = d;
  }

  /** {@code to[i] = values[i] - values[i - 1]}, and {@code first} at 0. */
  public static void differences(int[] values, int count, int first, int[] to) {
    for (int i = 1; i < count; i++) {
      to[i] = values[i] - values[i - 1];
    }
    to[0] = first;
  }

  public static void subtract(int[] values, int count, int reference, int[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = values[i] - reference;
    }
  }

  public static void add(int[] values, int count, int reference) {
    for (int i = 0; i < count; i++) {
      values[i] += reference;
    }
  }

  /** {@code values[i] = start + sum over j <= i of (values[j] + reference)}. */
  public static void prefixSums(int[] values, int count, int reference, int start) {
    int sum = start;
    int whole = count & ~3;
    for (int i = 0; i < whole; i += 4) {
      // Only the last of four sums waits for the one before.
      int a = values[i] + reference;
      int b = a + values[i + 1] + reference;
      int c = b + values[i + 2] + reference;
      int d = c + values[i + 3] + reference;
      values[i] = sum + a;
      values[i + 1] = sum + b;
      values[i + 2] = sum + c;
      sum += d;
      values[i + 3] = sum;
    }
    for (int i = whole; i < count; i++) {
      sum += values[i] + reference;
      values[i] = sum;
    }
  }

  /** The bits in which values differ from this one. */
  public static int differing(int[] values, int count, int from) {
    int bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= values[i] ^ from;
    }
    return bits;
  }

  /** Subtracts, shifts and multiplies. */
  public static void divide(int[] values, int count, int reference, int shift, int inverse) {
    for (int i = 0; i < count; i++) {
      values[i] = ((values[i] - reference) >> shift) * inverse;
    }
  }

  /** Negative if a value is less than {@code -most} or more than {@code most}, else 0. */
  public static int beyond(int[] values, int count, int most) {
    int beyond = 0;
    for (int i = 0; i < count; i++) {
      beyond |= (most + values[i]) | (most - values[i]);
    }
    return beyond & Integer.MIN_VALUE;
  }

  /** Multiplies and adds. */
  public static void multiply(int[] values, int count, int by, int reference, int[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = reference + by * values[i];
    }
  }
}
