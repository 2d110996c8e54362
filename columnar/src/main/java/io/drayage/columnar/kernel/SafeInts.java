package io.drayage.columnar.kernel;

/**
 * Ranges of mini-blocks of 32-bit values by arithmetic, which is vectorised: not every compiler
 * vectorises comparisons. For 64-bit values this is no faster.
 */
public final class SafeInts {
  private SafeInts() {}

  /** Number of rows that a mini-block is folded into. */
  public static final int FOLD = 256;

  private static final int LANES = 64;

  /** Maximum bits, sign included, of values that may be subtracted from each other twice. */
  private static final int SAFE_BITS = 30;

  /**
   * Whether no value has more than 30 bits, so that {@link #least} and {@link #most} may be called.
   *
   * @param values 1,024
   * @param lanes {@link #FOLD} elements, for internal use
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

  /** Returns the minimum of 1,024 safe values, or of differences of safe values. */
  public static int least(int[] values, int[] lanes) {
    for (int i = 0; i < FOLD; i++) {
      lanes[i] = least(least(values[i], values[i + 256]), least(values[i + 512], values[i + 768]));
    }
    for (int i = 0; i < LANES; i++) {
      lanes[i] = least(least(lanes[i], lanes[i + 64]), least(lanes[i + 128], lanes[i + 192]));
    }
    int least = lanes[0];
    for (int i = 1; i < LANES; i++) {
      least = Math.min(least, lanes[i]);
    }
    return least;
  }

  private static int least(int a, int b) {
    return b + ((a - b) & ((a - b) >> 31));
  }

  /** Returns the maximum of 1,024 values, see {@link #least}. */
  public static int most(int[] values, int[] lanes) {
    for (int i = 0; i < FOLD; i++) {
      lanes[i] = most(most(values[i], values[i + 256]), most(values[i + 512], values[i + 768]));
    }
    for (int i = 0; i < LANES; i++) {
      lanes[i] = most(most(lanes[i], lanes[i + 64]), most(lanes[i + 128], lanes[i + 192]));
    }
    int most = lanes[0];
    for (int i = 1; i < LANES; i++) {
      most = Math.max(most, lanes[i]);
    }
    return most;
  }

  private static int most(int a, int b) {
    return a - ((a - b) & ((a - b) >> 31));
  }

  /** Number of values that are not 0, among 1,024. */
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
}
