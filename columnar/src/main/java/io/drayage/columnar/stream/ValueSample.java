package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Divisors;
import io.drayage.columnar.kernel.LongDictionary;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Up to 16 runs of 256 values, spread evenly over a stream; all of a short one. What it tells about
 * a stream is an estimate, and the same every time. Reused; not thread-safe.
 */
public final class ValueSample {
  private static final int RUNS = 16;
  private static final int RUN_VALUES = 256;

  /**
   * Of a short stream there are fewer runs, or looking at them would take as long as writing it.
   */
  private static final int VALUES_OF_RUN = 2_048;

  /** What narrow values could save is less. */
  private static final int NARROW_VALUES_OF_RUN = 32_768;

  private static final int MIN_RUNS = 4;

  /** With fewer values of each different one, a sample tells nothing of the entropy. */
  private static final int VALUES_OF_DIFFERENT = 4;

  private static final int SLOTS = 2 * RUNS * RUN_VALUES;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int SORTED = 64;

  /** Of each run, what patching is tried with: a quarter tells enough and takes a quarter. */
  private static final int RESIDUALS_OF_RUN = 64;

  /** Of all runs, those that decimals are tried with. */
  private static final int DECIMAL_RUNS = 4;

  private final long[] values = new long[RUNS * RUN_VALUES];
  private final long[] residuals = new long[RUNS * RUN_VALUES];
  private final long[] sorted = new long[SORTED];
  private final int[] window = new int[RUN_VALUES];
  private final long[] slots = new long[SLOTS];

  /** How often the value of a slot was seen. */
  private final int[] numbers = new int[SLOTS];

  private final byte[] seen = new byte[SLOTS];

  /** Of the slots, those that a sample takes, less one: at least half of them stay free. */
  private int slotMask;

  private final PatchWindow patchWindow = new PatchWindow();

  /** {@code n log2 n}. */
  private static final double[] LOGARITHMS = new double[RUNS * RUN_VALUES + 1];

  static {
    for (int i = 2; i < LOGARITHMS.length; i++) {
      LOGARITHMS[i] = i * (StrictMath.log(i) / StrictMath.log(2));
    }
  }

  /** Negative while it is not known. */
  private long distinct;

  private double entropy;
  private boolean wide;
  private int total;
  private int count;

  /** Negative while it is not known. */
  private double recurring;

  /** 0 while it is not known. */
  private long divisor;

  /** Takes the sample. */
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
   * Takes other values in runs of the same length.
   *
   * @param few at most as many as {@link #few} gave
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

  /** The bits of a quarter of the runs; of all of a small sample. */
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
   * How many different values the whole stream may have: those seen, and those that were not, by
   * Chao's estimator from those seen once and twice. What is seen next is new about as often as
   * values were seen once (Good and Turing): there are no more than that.
   */
  public long distinct() {
    if (distinct < 0) {
      findDistinct();
    }
    return distinct;
  }

  /** The entropy of a value in bits, if the sample has many of each; else the most there is. */
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
    for (int i = 0; i < count; i++) {
      int slot = slot(values[i]);
      int times = seen[slot];
      if (times == 0) {
        slots[slot] = values[i];
        numbers[slot] = 0;
        found++;
      }
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
      // What a sample shows is too little by about the second term (Miller and Madow).
      entropy = (LOGARITHMS[count] - bits) / count + found / (2 * StrictMath.log(2) * count);
    }
    double chao = (double) once * Math.max(0, once - 1) / (2.0 * (twice + 1));
    double turing = (double) once / count * (total - count);
    distinct = Math.min(total, found + (long) Math.min(chao, turing));
  }

  /**
   * The share of places at which 8 bytes of values, of which there is more than one if they are
   * narrow, stand that stood elsewhere in the sample: without them, nothing recurs.
   */
  public double recurring(int rawWidth) {
    if (recurring < 0) {
      recurring = findRecurring(rawWidth);
    }
    return recurring;
  }

  private double findRecurring(int rawWidth) {
    int number = Long.BYTES / rawWidth;
    int bits = rawWidth * Byte.SIZE;
    int mask = slotMask();
    // Of each slot, what its last key was, but for a coincidence.
    Arrays.fill(numbers, 0, mask + 1, 0);
    int found = 0;
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
        found += numbers[slot] == print ? 1 : 0;
        numbers[slot] = print;
      }
      places += end - from - number + 1;
    }
    return places == 0 ? 0 : (double) found / places;
  }

  /** What all differences are multiples of; 1 if they have no common divisor, or are all 0. */
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
   * The packed bytes of all values, or differences, with the reference and the width that they are
   * best patched with; null if the sample is too short to tell.
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

  /** What a packed mini-block of differences of an order would take, by the runs of the sample. */
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
   * How many times the bits of a value those of one are that differs from the one before: more than
   * 1 where most change in places of wide ranges.
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
