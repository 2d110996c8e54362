package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Divisors;
import io.drayage.columnar.kernel.LongDictionary;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Up to 16 runs of 256 values, spread evenly over a stream, or all values of a short one. Equal
 * streams have equal samples. Reused; not thread-safe.
 */
public final class ValueSample {
  private static final int RUNS = 16;
  private static final int RUN_VALUES = 256;

  /** A short stream has fewer runs, or examining them would last as long as writing it. */
  private static final int VALUES_OF_RUN = 2_048;

  /** Bytes and shorts have fewer runs, because they have less to save. */
  private static final int NARROW_VALUES_OF_RUN = 32_768;

  private static final int MIN_RUNS = 4;

  /** Minimum values per distinct value for an estimate of the entropy. */
  private static final int VALUES_OF_DIFFERENT = 4;

  /** Minimum recurring pairs of neighbours that show whether records recur. */
  private static final int MIN_PAIRS = 64;

  private static final int SLOTS = 2 * RUNS * RUN_VALUES;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int SORTED = 64;

  /** Values of each run for the estimate of patching: a quarter of the time, and enough. */
  private static final int RESIDUALS_OF_RUN = 64;

  /** Number of runs for the estimate of decimals. */
  private static final int DECIMAL_RUNS = 4;

  private final long[] values = new long[RUNS * RUN_VALUES];
  private final long[] residuals = new long[RUNS * RUN_VALUES];
  private final long[] sorted = new long[SORTED];
  private final int[] window = new int[RUN_VALUES];
  private final long[] slots = new long[SLOTS];

  /** Number of occurrences of each slot's value in the sample. */
  private final int[] numbers = new int[SLOTS];

  /** The number of each slot's value in a dictionary of the sample. */
  private final int[] codes = new int[SLOTS];

  private final byte[] seen = new byte[SLOTS];

  /** Number of slots in use, minus one; at least half of them stay free. */
  private int slotMask;

  private final PatchWindow patchWindow = new PatchWindow();

  /** {@code n log2 n}. */
  private static final double[] LOGARITHMS = new double[RUNS * RUN_VALUES + 1];

  static {
    for (int i = 2; i < LOGARITHMS.length; i++) {
      LOGARITHMS[i] = i * (StrictMath.log(i) / StrictMath.log(2));
    }
  }

  /** Negative if unknown. */
  private long distinct;

  private double entropy;
  private double jumping;
  private boolean wide;
  private int total;
  private int count;

  /** Negative if unknown. */
  private double recurring;

  /** Valid if {@link #recurring} is known. */
  private double news;

  /** 0 if unknown. */
  private long divisor;

  /** Takes a sample of a stream. */
  public void take(Values source) {
    recurring = -1;
    distinct = -1;
    divisor = 0;
    wide = source.kind().isWide();
    total = source.count();
    boolean narrow = source.rawWidth() < Integer.BYTES;
    int wanted = total / (narrow ? NARROW_VALUES_OF_RUN : VALUES_OF_RUN);
    int runs = Math.min(RUNS, Math.max(MIN_RUNS, wanted));
    if (total <= runs * RUN_VALUES) {
      for (int from = 0; from < total; from += RUN_VALUES) {
        source.loadLongs(from, Math.min(RUN_VALUES, total - from), values, from, window);
      }
      count = total;
      return;
    }
    for (int run = 0; run < runs; run++) {
      int from = (int) ((long) run * (total - RUN_VALUES) / (runs - 1));
      source.loadLongs(from, RUN_VALUES, values, run * RUN_VALUES, window);
    }
    count = runs * RUN_VALUES;
  }

  /**
   * Takes given values instead of a stream's.
   *
   * @param few in runs of equal length; at most as many as {@link #few} returns
   */
  public void take(long[] few, int number, boolean isWide) {
    recurring = -1;
    distinct = -1;
    divisor = 0;
    wide = isWide;
    total = number;
    count = number;
    System.arraycopy(few, 0, values, 0, number);
  }

  /** Returns the bits of a quarter of the runs; of all values of a small sample. */
  public long[] few() {
    long[] few = new long[Math.min(count, DECIMAL_RUNS * RUN_VALUES)];
    int stride = Math.max(1, count / few.length);
    for (int from = 0; from < few.length; from += RUN_VALUES) {
      int number = Math.min(RUN_VALUES, few.length - from);
      System.arraycopy(values, from * stride, few, from, number);
    }
    return few;
  }

  /**
   * Estimates the number of distinct values of the whole stream. It is the number in the sample,
   * plus Chao's estimate of the others from the values seen once and twice, but at most the
   * prediction from the share of values seen once (Good and Turing).
   */
  public long distinct() {
    if (distinct < 0) {
      findDistinct();
    }
    return distinct;
  }

  /**
   * The share of values whose code in a dictionary does not follow their predecessor's code: small
   * if records recur. It is 1 if too few values of the sample recur.
   */
  public double jumping() {
    distinct();
    return jumping;
  }

  /** The entropy of a value in bits, if the sample has many of each value; else 64. */
  public double entropy() {
    distinct();
    return entropy;
  }

  private void findDistinct() {
    slotMask = slotMask();
    Arrays.fill(seen, 0, slotMask + 1, (byte) 0);
    int found = 0;
    int once = 0;
    int twice = 0;
    int pairs = 0;
    int jumps = 0;
    // The code of the value before; negative if that value was new.
    int code = -1;
    for (int i = 0; i < count; i++) {
      int slot = slot(values[i]);
      int times = seen[slot];
      if (times == 0) {
        slots[slot] = values[i];
        numbers[slot] = 0;
        codes[slot] = found++;
      }
      // New values have successive codes in any stream, and runs are not adjacent.
      boolean isPair = times > 0 && code >= 0 && i % RUN_VALUES > 0;
      pairs += isPair ? 1 : 0;
      jumps += isPair && codes[slot] != code + 1 ? 1 : 0;
      code = times > 0 ? codes[slot] : -1;
      once += times == 0 ? 1 : times == 1 ? -1 : 0;
      twice += times == 1 ? 1 : times == 2 ? -1 : 0;
      seen[slot] = (byte) Math.min(3, times + 1);
      numbers[slot]++;
    }
    entropy = Long.SIZE;
    if (found <= count / VALUES_OF_DIFFERENT) {
      double bits = 0;
      for (int slot = 0; slot <= slotMask; slot++) {
        bits += seen[slot] == 0 ? 0 : LOGARITHMS[numbers[slot]];
      }
      // The second term corrects the bias of a sample (Miller and Madow).
      entropy = (LOGARITHMS[count] - bits) / count + found / (2 * StrictMath.log(2) * count);
    }
    distinct = (long) different(found, once, twice, count);
    jumping = pairs < MIN_PAIRS ? 1 : (double) jumps / pairs;
  }

  /** Estimates the distinct values of the whole stream, if some places of it have so many. */
  private double different(int found, int once, int twice, int places) {
    double chao = (double) once * Math.max(0, once - 1) / (2.0 * (twice + 1));
    double turing = (double) once / places * (total - places);
    return Math.min(total, found + Math.min(chao, turing));
  }

  /**
   * The share of places in the sample whose 8 bytes (several values, if they are narrow) occurred
   * earlier in the sample, too.
   */
  public double recurring(int rawWidth) {
    if (recurring < 0) {
      findRecurring(rawWidth);
    }
    return recurring;
  }

  /**
   * Estimates the share of places in the whole stream whose 8 bytes occur there for the first time.
   * The share is less than in the sample, which lacks most places at which others recur. It is
   * computed like {@link #distinct}.
   */
  public double news(int rawWidth) {
    recurring(rawWidth);
    return news;
  }

  private void findRecurring(int rawWidth) {
    int number = Long.BYTES / rawWidth;
    int bits = rawWidth * Byte.SIZE;
    int mask = slotMask();
    // A slot has the fingerprint of its last key, and its number of occurrences.
    Arrays.fill(numbers, 0, mask + 1, 0);
    int found = 0;
    int once = 0;
    int twice = 0;
    int places = 0;
    for (int from = 0; from + number <= count; from += RUN_VALUES) {
      int end = Math.min(count, from + RUN_VALUES);
      long key = 0;
      for (int i = from; i < from + number - 1; i++) {
        key = (key << bits) | (values[i] & (-1L >>> -bits));
      }
      for (int i = from + number - 1; i < end; i++) {
        key = number == 1 ? values[i] : (key << bits) | (values[i] & (-1L >>> -bits));
        long hash = key * MULTIPLIER;
        int slot = (int) (hash >>> 40) & mask;
        int print = (int) (hash ^ (hash >>> 32)) | 1;
        int times = numbers[slot] == print ? seen[slot] : 0;
        found += times == 0 ? 1 : 0;
        once += times == 0 ? 1 : times == 1 ? -1 : 0;
        twice += times == 1 ? 1 : times == 2 ? -1 : 0;
        numbers[slot] = print;
        seen[slot] = (byte) Math.min(3, times + 1);
      }
      places += end - from - number + 1;
    }
    recurring = places == 0 ? 0 : 1 - (double) found / places;
    news = places == 0 ? 1 : different(found, once, twice, places) / total;
  }

  /** The common divisor of all differences; 1 if there is none, or if all are 0. */
  public long divisor() {
    if (divisor == 0) {
      divisor = findDivisor();
    }
    return divisor;
  }

  private long findDivisor() {
    long common = Divisors.common(values, count, wide);
    boolean fits = common > 0 && (wide || common <= Integer.MAX_VALUE);
    return fits ? common : 1;
  }

  private int slotMask() {
    return 4 * Integer.highestOneBit(Math.max(1, count - 1)) - 1;
  }

  private int slot(long value) {
    int slot = LongDictionary.hash(value) & slotMask;
    while (seen[slot] != 0 && slots[slot] != value) {
      slot = slot + 1 & slotMask;
    }
    return slot;
  }

  /**
   * Estimates the packed bytes of all values, or differences, with the best reference and width for
   * patching; null if the sample is too short.
   */
  public @Nullable Estimate patching(int order, int kindBits) {
    int number = takeResiduals(order);
    if (number < 16) {
      return null;
    }
    int step = Math.max(1, number / SORTED);
    int sortedCount = Math.min(SORTED, number / step);
    for (int i = 0; i < sortedCount; i++) {
      sorted[i] = residuals[i * step];
    }
    Arrays.sort(sorted, 0, sortedCount);
    patchWindow.begin(residuals, number, kindBits);
    patchWindow.tryFrom(sorted[0]);
    patchWindow.tryFrom(sorted[sortedCount / 32]);
    patchWindow.tryFrom(sorted[sortedCount / 2]);
    patchWindow.tryAround(sorted[sortedCount / 2]);
    return patchWindow.best(total);
  }

  private int takeResiduals(int order) {
    int number = 0;
    for (int from = 0; from < count; from += RUN_VALUES) {
      int end = Math.min(count, from + RESIDUALS_OF_RUN);
      for (int i = from + order; i < end; i++) {
        long residual = residual(i, order);
        residuals[number++] = wide ? residual : (int) residual;
      }
    }
    return number;
  }

  private long residual(int i, int order) {
    return order == 0 ? values[i] : values[i] - values[i - 1];
  }

  /** Bits of a value, or of a difference, if each run were packed. */
  public double plainBits(int order) {
    int number = 0;
    long bits = 0;
    for (int from = 0; from < count; from += RUN_VALUES) {
      int end = Math.min(count, from + RUN_VALUES);
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      for (int i = from + order; i < end; i++) {
        long residual = residual(i, order);
        long wrapped = wide ? residual : (int) residual;
        least = Math.min(least, wrapped);
        most = Math.max(most, wrapped);
      }
      if (end - from > order) {
        bits += (long) (end - from) * Bits.width(most - least);
        number += end - from;
      }
    }
    return number == 0 ? Long.SIZE : (double) bits / number;
  }

  /**
   * The bits of changed values, over the bits of all values: more than 1 if most changes are in
   * runs with wide ranges.
   */
  public double widthOfChanges() {
    long bits = 0;
    long changedBits = 0;
    int changes = 0;
    for (int from = 0; from < count; from += RUN_VALUES) {
      int end = Math.min(count, from + RUN_VALUES);
      long least = values[from];
      long most = least;
      int changed = 0;
      for (int i = from + 1; i < end; i++) {
        least = Math.min(least, values[i]);
        most = Math.max(most, values[i]);
        changed += values[i] == values[i - 1] ? 0 : 1;
      }
      int width = Bits.width(most - least);
      bits += (long) width * (end - from);
      changedBits += (long) width * changed;
      changes += changed;
    }
    return bits == 0 ? 1 : Math.max(1, (double) changedBits * count / ((double) bits * changes));
  }
}
