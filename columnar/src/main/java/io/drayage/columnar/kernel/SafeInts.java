package io.drayage.columnar.kernel;

/**
 * Ranges of mini-blocks of 32-bit values by arithmetic, which becomes vectors: not every compiler
 * makes them of comparisons. Of 64-bit values this is no faster.
 */
public final class SafeInts {
  private SafeInts() {}

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

  /** The least of 1,024 values that are safe, or differences of such. */
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
    return extreme(lanes, true);
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
    return extreme(lanes, false);
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

  private static int extreme(int[] lanes, boolean least) {
    int found = lanes[0];
    for (int i = 1; i < LANES; i++) {
      found = least ? Math.min(found, lanes[i]) : Math.max(found, lanes[i]);
    }
    return found;
  }
}
