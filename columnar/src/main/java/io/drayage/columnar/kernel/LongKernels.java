package io.drayage.columnar.kernel;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Loops over windows of 64-bit values, from index 0 on, so that loads and stores have the same
 * index. Arithmetic wraps. {@code IntKernels} has the same loops for 32 bits: the build generates
 * it from this source. A mark is on each type that is 64 bits wide in both.
 */
@SuppressWarnings("cast")
public final class LongKernels {
  /** Number of results of {@link #ranges}. */
  public static final int RANGES = 5;

  /** Number of values of a run that are written at a time. */
  private static final int GROUP = 8;

  /** Maximum runs in a window that is filled run by run. Others are written value by value. */
  private static final int MAX_FILLED = 96;

  private LongKernels() {}

  /** Finds the minimum and the maximum. */
  public static void extremes(long[] values, int count, /* 64 */ long[] found) {
    long least = values[0];
    long most = least;
    // Alternately, so that a value need not wait for the value before.
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
   * Finds the minimum and maximum value, the minimum and maximum difference between neighbours, and
   * the number of values that differ from their predecessor.
   */
  public static void ranges(long[] values, int count, /* 64 */ long[] found) {
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

  /** Sets {@code flags[i]} to 1 if a value differs from its predecessor, else to 0. */
  public static void changes(long[] values, int count, long before, int[] flags) {
    for (int i = 1; i < count; i++) {
      long difference = values[i] ^ values[i - 1];
      flags[i] = (int) ((difference | -difference) >>> (Long.SIZE - 1));
    }
    flags[0] = values[0] != before ? 1 : 0;
  }

  /** Sets {@code flags[i]} to 1 if a value is not within 0 to 2^{@code width} - 1, else to 0. */
  public static void beyondWidth(long[] values, int count, int width, int[] flags) {
    for (int i = 0; i < count; i++) {
      long upper = values[i] >> width;
      flags[i] = (int) ((upper | -upper) >>> (Long.SIZE - 1));
    }
  }

  /**
   * Collects the values whose bit is set.
   *
   * @param bits from word {@code word} on
   * @param to receives them from {@code next} on
   * @return the index after the last one
   */
  public static int collect(
      long[] values, int count, /* 64 */ long[] bits, int word, long[] to, int next) {
    int at = next;
    for (int from = 0; from < count; from += Bits.WORD) {
      for (
      /* 64 */ long left = bits[word + (from >>> 6)]; left != 0; left &= left - 1) {
        to[at++] = values[from + Long.numberOfTrailingZeros(left)];
      }
    }
    return at;
  }

  /** Adds numbers, shifted, to the values at some places. */
  public static void addAt(
      long[] values, /* 64 */ long[] places, /* 64 */ long[] numbers, int count, int shift) {
    for (int i = 0; i < count; i++) {
      values[(int) places[i]] += (long) (numbers[i] << shift);
    }
  }

  /** {@code to[i] = values[i] - values[i - 1]}, and {@code first} at 0. */
  public static void differences(long[] values, int count, long first, long[] to) {
    for (int i = 1; i < count; i++) {
      to[i] = values[i] - values[i - 1];
    }
    to[0] = first;
  }

  /** Writes zig-zag differences, the first from {@code before}; returns the OR of all. */
  public static long zigZag(long[] values, int count, long before, long[] to) {
    long first = values[0] - before;
    to[0] = (first << 1) ^ (first >> (Long.SIZE - 1));
    for (int i = 1; i < count; i++) {
      long difference = values[i] - values[i - 1];
      to[i] = (difference << 1) ^ (difference >> (Long.SIZE - 1));
    }
    long seen = 0;
    for (int i = 0; i < count; i++) {
      seen |= to[i];
    }
    return seen;
  }

  public static void subtract(long[] values, int count, long reference, long[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = values[i] - reference;
    }
  }

  public static void add(long[] values, int count, long reference) {
    for (int i = 0; i < count; i++) {
      values[i] += reference;
    }
  }

  /** {@code values[i] = start + sum over j <= i of (values[j] + reference)}. */
  public static void prefixSums(long[] values, int count, long reference, long start) {
    long sum = start;
    int whole = count & ~3;
    for (int i = 0; i < whole; i += 4) {
      // Only the last of four sums waits for the sum before.
      long a = values[i] + reference;
      long b = a + values[i + 1] + reference;
      long c = b + values[i + 2] + reference;
      long d = c + values[i + 3] + reference;
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

  /**
   * Packs the low bits of the values' excess over a reference, in the form of {@link Bitstream}.
   *
   * @param shift number of lowest bits that are left out
   * @param width at most 32
   */
  public static void pack(
      long[] values, int count, long reference, int shift, int width, ByteBuffer target) {
    /* 64 */ long mask = Bitstream.mask(width);
    /* 64 */ long open = 0;
    int bits = 0;
    for (int i = 0; i < count; i++) {
      open |= (((values[i] - reference) >>> shift) & mask) << bits;
      bits += width;
      if (bits >= Integer.SIZE) {
        target.putInt((int) open);
        open >>>= Integer.SIZE;
        bits -= Integer.SIZE;
      }
    }
    if (bits > 0) {
      target.putInt((int) open);
    }
  }

  /** Adds the numbers of {@link #pack}, {@code shift} bits to the left. */
  public static void addPacked(ByteBuffer source, int count, int shift, int width, long[] values) {
    /* 64 */ long mask = Bitstream.mask(width);
    /* 64 */ long open = 0;
    int bits = 0;
    for (int i = 0; i < count; i++) {
      if (bits < width) {
        open |= Integer.toUnsignedLong(source.getInt()) << bits;
        bits += Integer.SIZE;
      }
      values[i] += (long) (open & mask) << shift;
      open >>>= width;
      bits -= width;
    }
  }

  /** Returns the bits in which any value differs from {@code from}. */
  public static long differing(long[] values, int count, long from) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= values[i] ^ from;
    }
    return bits;
  }

  /**
   * Divides the values' excess over a reference, exactly: shifts, and multiplies by the inverse of
   * the divisor's odd part.
   *
   * @param most the largest quotient
   * @return whether all are multiples of the divisor, with a quotient of that size or its negative
   */
  public static boolean divide(
      long[] values, int count, long reference, int shift, long inverse, long most) {
    long rest = differing(values, count, reference) & ~(-1L << shift);
    long beyond = 0;
    for (int i = 0; i < count; i++) {
      values[i] = ((values[i] - reference) >> shift) * inverse;
    }
    for (int i = 0; i < count; i++) {
      beyond |= (most + values[i]) | (most - values[i]);
    }
    return rest == 0 && beyond >= 0;
  }

  /** Multiplies and adds. */
  public static void multiply(long[] values, int count, long by, long reference, long[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = reference + by * values[i];
    }
  }

  /**
   * Whether a window has so few runs that {@link #fillRuns} is faster than {@link #expandRuns}.
   *
   * @param bits a bit for each value that begins a run, from word {@code word} on
   */
  public static boolean areFewRuns(/* 64 */ long[] bits, int word, int count) {
    int begun = 0;
    for (int w = 0; w < Bits.words(count); w++) {
      begun += Long.bitCount(bits[word + w]);
    }
    return begun <= MAX_FILLED;
  }

  /**
   * Writes a window of runs, value by value.
   *
   * @param bits a bit for each value that begins a run, from word {@code word} on
   * @param before the run of the value before the window
   * @param values of the runs; their length is a power of two
   * @return the run of the last value
   */
  public static int expandRuns(
      /* 64 */ long[] bits, int word, int count, int before, long[] values, long[] to) {
    int run = before;
    for (int i = 0; i < count; i += Bits.WORD) {
      run = expandWord(bits[word + (i >>> 6)], i, run, values, to);
    }
    return run;
  }

  /** Writes a window of runs like {@link #expandRuns}, but run by run. */
  public static int fillRuns(
      /* 64 */ long[] bits, int word, int count, int before, long[] values, long[] to) {
    int run = before;
    int at = 0;
    for (int from = 0; from < count; from += Bits.WORD) {
      for (
      /* 64 */ long left = bits[word + (from >>> 6)]; left != 0; left &= left - 1) {
        int next = from + Long.numberOfTrailingZeros(left);
        if (at < next) {
          fill(to, at, next, values[run]);
        }
        run++;
        at = next;
      }
    }
    fill(to, at, count, values[run]);
    return run;
  }

  /** Does the same as {@link Arrays#fill}, compiled for these lengths. */
  private static void fill(long[] to, int from, int end, long value) {
    for (int i = from; i < end; i++) {
      to[i] = value;
    }
  }

  /**
   * Writes 64 values, eight at a time, which is faster; a value without a set bit continues the
   * run. With the mask, the loop has no exit that needs registers, which doubles its speed if the
   * compiler has too few.
   */
  private static int expandWord(
      /* 64 */ long word, int from, int before, long[] values, long[] to) {
    if (word == 0) {
      Arrays.fill(to, from, from + Bits.WORD, values[before]);
      return before;
    }
    int mask = values.length - 1;
    int run = before;
    /* 64 */ long left = word;
    for (int i = from; i < from + Bits.WORD; i += GROUP) {
      int group = (int) left;
      left >>>= GROUP;
      run += group & 1;
      to[i] = values[run & mask];
      run += (group >>> 1) & 1;
      to[i + 1] = values[run & mask];
      run += (group >>> 2) & 1;
      to[i + 2] = values[run & mask];
      run += (group >>> 3) & 1;
      to[i + 3] = values[run & mask];
      run += (group >>> 4) & 1;
      to[i + 4] = values[run & mask];
      run += (group >>> 5) & 1;
      to[i + 5] = values[run & mask];
      run += (group >>> 6) & 1;
      to[i + 6] = values[run & mask];
      run += (group >>> 7) & 1;
      to[i + 7] = values[run & mask];
    }
    return run;
  }
}
