package io.drayage.columnar;

import java.util.Arrays;

/**
 * Floating-point values that are no decimals, after ALP-RD ("real doubles") of the ALP paper: the
 * left bits of each hold the sign, the exponent and the start of the fraction, of which there are
 * few; the right bits are noise. They become two streams, of which the first packs well. Zero bits
 * on which all values end, as in floats that were widened, are dropped from the second.
 *
 * <p>Unlike there, the left parts have no dictionary and no exceptions of their own: the first
 * stream chooses how it is written. All functions are pure; any parts are harmless.
 */
public final class RealSplit {
  /** The most bits of a left part. */
  public static final int MAX_LEFT_BITS = 16;

  /** The most different left parts that are told apart: more and they are packed by their range. */
  private static final int MAX_LEFTS = 64;

  /** Of a sample, what is sorted. */
  private static final int PART_VALUES = 512;

  private RealSplit() {}

  /** How many zero bits all values end on; the width of a value if all are 0. */
  public static int trailingZeros(long[] values, int count) {
    long seen = 0;
    for (int i = 0; i < count; i++) {
      seen |= values[i];
    }
    return Long.numberOfTrailingZeros(seen);
  }

  /**
   * The cut for which a sample takes the fewest bits.
   *
   * @param sample bits of doubles; a part of them is looked at
   * @return the number of right bits, 48 to 63
   */
  public static int choose(long[] sample, int count) {
    long[] sorted = sortedPart(sample, count);
    int best = Long.SIZE - 1;
    for (int right = best - 1; right >= Long.SIZE - MAX_LEFT_BITS; right--) {
      if (right + leftBits(sorted, right) < best + leftBits(sorted, best)) {
        best = right;
      }
    }
    return best;
  }

  /** About what a sample takes when it is cut so, in bits. */
  public static long estimateBits(long[] sample, int count, int rightBits) {
    int left = leftBits(sortedPart(sample, count), rightBits);
    int right = rightBits - Math.min(rightBits, trailingZeros(sample, count));
    return (long) count * (left + right);
  }

  private static long[] sortedPart(long[] sample, int count) {
    int step = Math.max(1, count / PART_VALUES);
    long[] part = new long[count / step];
    for (int i = 0; i < part.length; i++) {
      part[i] = sample[i * step];
    }
    Arrays.sort(part);
    return part;
  }

  /** Bits that tell the left parts of a sorted sample apart, by number or by range. */
  private static int leftBits(long[] sorted, int right) {
    int different = 0;
    long least = Long.MAX_VALUE;
    long most = 0;
    long last = -1;
    for (long value : sorted) {
      long left = value >>> right;
      different += left == last ? 0 : 1;
      least = Math.min(least, left);
      most = Math.max(most, left);
      last = left;
    }
    int byRange = Long.SIZE - Long.numberOfLeadingZeros(most - Math.min(most, least));
    int byNumber = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, different - 1));
    return different > MAX_LEFTS ? byRange : Math.min(byNumber, byRange);
  }

  /**
   * Splits values.
   *
   * @param rightBits 48 to 63
   * @param drop how many of the right bits are 0 in all values and left out
   */
  public static void split(
      long[] values, int count, int rightBits, int drop, int[] lefts, long[] rights) {
    long mask = -1L >>> (Long.SIZE - rightBits);
    for (int i = 0; i < count; i++) {
      lefts[i] = (int) (values[i] >>> rightBits);
    }
    for (int i = 0; i < count; i++) {
      rights[i] = (values[i] & mask) >>> drop;
    }
  }

  /** Puts values together again. */
  public static void join(
      int[] lefts, long[] rights, int count, int rightBits, int drop, long[] target) {
    for (int i = 0; i < count; i++) {
      target[i] = (long) lefts[i] << rightBits ^ rights[i] << drop;
    }
  }

  /** Whether a cut that came off a wire is one. */
  public static boolean isValid(int rightBits, int drop) {
    return rightBits >= Long.SIZE - MAX_LEFT_BITS
        && rightBits < Long.SIZE
        && drop >= 0
        && drop <= rightBits;
  }
}
