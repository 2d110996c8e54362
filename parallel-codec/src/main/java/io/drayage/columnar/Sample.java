package io.drayage.columnar;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * 16 runs of 256 values, spread evenly over a stream; all of a short one. What it says about a
 * stream is an estimate, and the same every time. For one thread; used for stream after stream.
 */
final class Sample {
  private static final int RUNS = 16;
  private static final int RUN_VALUES = 256;
  private static final int SLOTS = 4 * RUNS * RUN_VALUES;
  private static final int SORTED = 128;

  /** Of each run, what patching is tried with: a quarter tells enough and takes a quarter. */
  private static final int RESIDUALS_OF_RUN = 64;

  /** Of all runs, those that decimals are tried with. */
  private static final int DECIMAL_RUNS = 4;

  private final long[] values = new long[RUNS * RUN_VALUES];
  private final long[] residuals = new long[RUNS * RUN_VALUES];
  private final long[] sorted = new long[SORTED];
  private final int[] window = new int[RUN_VALUES];
  private final long[] wideWindow = new long[RUN_VALUES];
  private final long[] slots = new long[SLOTS];
  private final byte[] seen = new byte[SLOTS];
  private final int[] above = new int[Long.SIZE + 1];
  private final int[] below = new int[Long.SIZE + 1];

  private boolean wide;
  private int total;
  private int count;
  private int runValues;
  private double patchedBits;
  private int exceptions;

  /** Takes the sample. */
  void take(Values source) {
    wide = source.kind().isWide();
    total = source.count();
    if (total <= values.length) {
      runValues = RUN_VALUES;
      for (int from = 0; from < total; from += RUN_VALUES) {
        copy(source, from, from, Math.min(RUN_VALUES, total - from));
      }
      count = total;
      return;
    }
    runValues = RUN_VALUES;
    for (int run = 0; run < RUNS; run++) {
      int from = (int) ((long) run * (total - RUN_VALUES) / (RUNS - 1));
      copy(source, from, run * RUN_VALUES, RUN_VALUES);
    }
    count = values.length;
  }

  private void copy(Values source, int from, int to, int number) {
    if (wide) {
      source.load(from, number, wideWindow);
      System.arraycopy(wideWindow, 0, values, to, number);
    } else {
      source.load(from, number, window);
      for (int i = 0; i < number; i++) {
        values[to + i] = window[i];
      }
    }
  }

  /**
   * Takes the integers of the decimals of another sample of floating-point values.
   *
   * @return the pair that gives them; -1 if they are no decimals
   */
  int takeDecimals(Sample source) {
    wide = source.wide;
    total = source.total;
    runValues = source.runValues;
    count = Math.min(source.count, DECIMAL_RUNS * RUN_VALUES);
    return wide ? takeDoubles(source) : takeFloats(source);
  }

  /** The place of value {@code i} of a smaller sample of whole runs. */
  private int spread(int i) {
    int stride = Math.max(1, count / (DECIMAL_RUNS * RUN_VALUES));
    return i / RUN_VALUES * stride * RUN_VALUES + i % RUN_VALUES;
  }

  /** A quarter of the runs of a sample of doubles; all of a small one. */
  double[] fewDoubles() {
    double[] few = new double[Math.min(count, DECIMAL_RUNS * RUN_VALUES)];
    for (int i = 0; i < few.length; i++) {
      few[i] = Double.longBitsToDouble(values[spread(i)]);
    }
    return few;
  }

  private int takeDoubles(Sample source) {
    double[] sampled = source.fewDoubles();
    int pair = AlpDoubles.choose(sampled, count);
    exceptions = pair < 0 ? 0 : AlpDoubles.encode(sampled, count, pair, values, new int[count]);
    return pair;
  }

  private int takeFloats(Sample source) {
    float[] sampled = new float[count];
    for (int i = 0; i < count; i++) {
      sampled[i] = Float.intBitsToFloat((int) source.values[source.spread(i)]);
    }
    int pair = AlpFloats.choose(sampled, count);
    if (pair >= 0) {
      int[] narrow = new int[count];
      exceptions = AlpFloats.encode(sampled, count, pair, narrow, new int[count]);
      for (int i = 0; i < count; i++) {
        values[i] = narrow[i];
      }
    }
    return pair;
  }

  /** The exceptions among the integers of decimals. */
  int exceptions() {
    return exceptions;
  }

  int count() {
    return count;
  }

  /**
   * How many different values the whole stream may have: those seen, and by Chao's estimator from
   * those seen once and twice those that were not.
   */
  long distinct() {
    Arrays.fill(seen, (byte) 0);
    int distinct = 0;
    int once = 0;
    int twice = 0;
    for (int i = 0; i < count; i++) {
      int slot = slot(values[i]);
      int times = seen[slot];
      if (times == 0) {
        slots[slot] = values[i];
        distinct++;
      }
      once += times == 0 ? 1 : times == 1 ? -1 : 0;
      twice += times == 1 ? 1 : times == 2 ? -1 : 0;
      seen[slot] = (byte) Math.min(3, times + 1);
    }
    if (count == total) {
      return distinct;
    }
    double unseen = (double) once * Math.max(0, once - 1) / (2.0 * (twice + 1));
    return Math.min(total, distinct + (long) unseen);
  }

  private int slot(long value) {
    int slot = LongDictionary.hash(value) & SLOTS - 1;
    while (seen[slot] != 0 && slots[slot] != value) {
      slot = slot + 1 & SLOTS - 1;
    }
    return slot;
  }

  /**
   * The window that values, or differences, are best patched with; null if the sample is too short
   * for one. {@link #patchedBits} says what a value then takes.
   */
  @Nullable Patching patching(int order, int kindBits) {
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
    Best best = new Best(kindBits);
    best.tryFrom(sorted[0], number);
    best.tryFrom(sorted[sortedCount / 32], number);
    best.tryFrom(sorted[sortedCount / 2], number);
    best.tryAround(sorted[sortedCount / 2], number);
    patchedBits = best.bits;
    return new Patching(best.reference, best.width);
  }

  /** What a value takes with the last {@link #patching}, exceptions included. */
  double patchedBits() {
    return patchedBits;
  }

  private int takeResiduals(int order) {
    int number = 0;
    for (int from = 0; from < count; from += runValues) {
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
  double plainBits(int order) {
    int number = 0;
    long bits = 0;
    for (int from = 0; from < count; from += runValues) {
      int end = Math.min(count, from + runValues);
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      for (int i = from + order; i < end; i++) {
        long residual = residual(i, order);
        long wrapped = wide ? residual : (int) residual;
        least = Math.min(least, wrapped);
        most = Math.max(most, wrapped);
      }
      if (end - from > order) {
        bits += (long) (end - from) * Words.width(most - least);
        number += end - from;
      }
    }
    return number == 0 ? Long.SIZE : (double) bits / number;
  }

  /** The best window so far. */
  private final class Best {
    private final int kindBits;
    private double bits = Double.MAX_VALUE;
    private long reference;
    private int width;

    Best(int kindBits) {
      this.kindBits = kindBits;
    }

    /** Windows that begin at {@code from}. */
    void tryFrom(long from, int number) {
      int lower = measure(from, number);
      int over = number - above[0] - lower;
      for (int w = 0; w < kindBits; w++) {
        if (w > 0) {
          over -= above[w];
        }
        consider(from, w, over + lower, number);
      }
    }

    /** Windows in whose middle {@code middle} is. */
    void tryAround(long middle, int number) {
      measure(middle, number);
      int outside = number - above[0];
      for (int w = 1; w < kindBits; w++) {
        if (w > 1) {
          outside -= above[w - 1] + below[w - 1];
        }
        consider(middle - (1L << (w - 1)), w, outside, number);
      }
    }

    private int measure(long from, int number) {
      Arrays.fill(above, 0);
      Arrays.fill(below, 0);
      int lower = 0;
      for (int i = 0; i < number; i++) {
        long distance = residuals[i] - from;
        if (distance >= 0) {
          above[Words.width(distance)]++;
        } else {
          below[Words.width(-distance)]++;
          lower++;
        }
      }
      return lower;
    }

    private void consider(long from, int w, int exceptions, int number) {
      int widest = kindBits;
      while (widest > w && above[widest] == 0 && below[widest] == 0) {
        widest--;
      }
      double each = Patches.POSITION_BITS + Math.max(1, widest - w + 1);
      double total = w + exceptions * each / number;
      if (total < bits) {
        bits = total;
        reference = from;
        width = w;
      }
    }
  }
}
