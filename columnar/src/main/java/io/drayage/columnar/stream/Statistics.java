package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.MiniBlock;
import java.util.Arrays;

/**
 * What one pass over the values of a stream tells exactly, for each mini-block. Reused; not
 * thread-safe.
 */
public final class Statistics {
  /** What a pass may look for: the least and the most value of each mini-block. */
  public static final int VALUES = 1;

  /** The least and the most difference between neighbours. */
  public static final int DIFFERENCES = 2;

  /** How many runs of equal values there are. */
  public static final int RUNS = 4;

  public static final int ALL = VALUES | DIFFERENCES | RUNS;

  /** A shorter mini-block is scanned value by value. */
  private static final int MIN_PADDED = 256;

  private final int[] window = new int[MiniBlock.VALUES];
  private final int[] differences = new int[MiniBlock.VALUES];
  private final int[] lanes = new int[256];
  private final long[] wideWindow = new long[MiniBlock.VALUES];

  private int count;
  private int minis;

  /** Which mini-blocks are read. */
  private final SampledMinis places = new SampledMinis();

  private int scanned;
  private int runs;

  /** The value before the next mini-block that is scanned. */
  private long last;

  private long min;
  private long max;
  private long[] minOf = new long[0];
  private long[] maxOf = new long[0];
  private long[] minDifferenceOf = new long[0];
  private long[] maxDifferenceOf = new long[0];
  private long[] firstOf = new long[0];
  private long[] firstDifferenceOf = new long[0];

  public static int minis(int count) {
    return (count + MiniBlock.VALUES - 1) / MiniBlock.VALUES;
  }

  /** The values in mini-block {@code mini} of {@code count} values. */
  public static int countOf(int mini, int count) {
    return Math.min(MiniBlock.VALUES, count - mini * MiniBlock.VALUES);
  }

  /** Reads all values, of which there is at least one, for {@link #ALL}. */
  public void scan(Values values) {
    scan(values, ALL);
  }

  /** Reads all values and finds out what is asked for, or more. */
  public void scan(Values values, int sought) {
    places.takeAll();
    scan(values, sought, minis(values.count()));
  }

  /** Whether a sample of the mini-blocks of so many values is much less than all. */
  public static boolean isWorthSample(int count) {
    return SampledMinis.isWorth(count);
  }

  /**
   * Reads some mini-blocks, spread over the values, for {@link #ALL}; what is then told is an
   * estimate.
   */
  public void scanSample(Values values) {
    scan(values, ALL, places.take(values));
  }

  private void scan(Values values, int sought, int number) {
    begin(values, sought, number);
    runs = 1;
    for (int mini = 0; mini < minis; mini++) {
      scanMini(values, mini);
    }
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
    if (has(VALUES)) {
      for (int mini = 0; mini < minis; mini++) {
        min = Math.min(min, minOf[mini]);
        max = Math.max(max, maxOf[mini]);
      }
    }
  }

  private void begin(Values values, int sought, int number) {
    scanned = sought;
    count = values.count();
    minis = number;
    if (minOf.length < minis) {
      minOf = new long[minis];
      maxOf = new long[minis];
      minDifferenceOf = new long[minis];
      maxDifferenceOf = new long[minis];
      firstOf = new long[minis];
      firstDifferenceOf = new long[minis];
    }
  }

  /**
   * Begins with a stream whose mini-blocks the caller then scans one after the other, from the
   * first on: what is told of a mini-block holds from then on, and nothing else does.
   */
  public void begin(Values values, int sought) {
    places.takeAll();
    begin(values, sought, minis(values.count()));
    runs = 1;
  }

  /** Scans a mini-block. */
  public void scanMini(Values values, int mini) {
    if (values.kind().isWide()) {
      scanWide(values, mini);
    } else {
      scanNarrow(values, mini);
    }
  }

  /** Forgets the last pass. */
  public void forget() {
    scanned = 0;
  }

  /** Whether the last pass looked for this. */
  public boolean has(int sought) {
    return (scanned & sought) == sought;
  }

  private void scanNarrow(Values values, int mini) {
    int from = places.start(mini);
    int n = Math.min(MiniBlock.VALUES, count - from);
    values.load(from, n, window);
    runs += mini > 0 && window[0] != last ? 1 : 0;
    firstOf[mini] = window[0];
    last = window[n - 1];
    int firstDifference = n > 1 ? window[1] - window[0] : 0;
    firstDifferenceOf[mini] = firstDifference;
    if (n < MIN_PADDED) {
      scanMini(window, n, mini);
      return;
    }
    // What was not there must not tell anything.
    Arrays.fill(window, n, MiniBlock.VALUES, window[n - 1]);
    if (values.rawWidth() < Integer.BYTES || IntKernels.areSafe(window, lanes)) {
      scanSafe(n, firstDifference, mini);
    } else {
      scanMini(window, n, mini);
    }
  }

  private void scanSafe(int n, int firstDifference, int mini) {
    if (has(VALUES)) {
      minOf[mini] = IntKernels.least(window, lanes);
      maxOf[mini] = IntKernels.most(window, lanes);
    }
    if (scanned == VALUES) {
      return;
    }
    IntKernels.differences(window, n, firstDifference, differences);
    Arrays.fill(differences, n, MiniBlock.VALUES, firstDifference);
    if (has(DIFFERENCES)) {
      minDifferenceOf[mini] = IntKernels.least(differences, lanes);
      maxDifferenceOf[mini] = IntKernels.most(differences, lanes);
    }
    if (has(RUNS)) {
      int others = 1 + MiniBlock.VALUES - n;
      runs += IntKernels.nonZeros(differences, lanes) - (firstDifference != 0 ? others : 0);
    }
  }

  private void scanMini(int[] values, int n, int mini) {
    int before = values[0];
    int least = before;
    int most = before;
    int leastDifference = n > 1 ? values[1] - before : 0;
    int mostDifference = leastDifference;
    int changes = 0;
    for (int i = 1; i < n; i++) {
      int value = values[i];
      int difference = value - before;
      least = Math.min(least, value);
      most = Math.max(most, value);
      leastDifference = Math.min(leastDifference, difference);
      mostDifference = Math.max(mostDifference, difference);
      changes += (difference | -difference) >>> 31;
      before = value;
    }
    minOf[mini] = least;
    maxOf[mini] = most;
    minDifferenceOf[mini] = leastDifference;
    maxDifferenceOf[mini] = mostDifference;
    runs += changes;
  }

  private void scanWide(Values values, int mini) {
    int from = places.start(mini);
    int n = Math.min(MiniBlock.VALUES, count - from);
    values.load(from, n, wideWindow);
    runs += mini > 0 && wideWindow[0] != last ? 1 : 0;
    last = wideWindow[n - 1];
    firstOf[mini] = wideWindow[0];
    firstDifferenceOf[mini] = n > 1 ? wideWindow[1] - wideWindow[0] : 0;
    if (scanned == VALUES) {
      scanExtremes(wideWindow, n, mini);
    } else if (scanned == DIFFERENCES) {
      scanDifferences(wideWindow, n, mini);
    } else {
      scanMini(wideWindow, n, mini);
    }
  }

  private void scanMini(long[] values, int n, int mini) {
    long before = values[0];
    long least = before;
    long most = before;
    long leastDifference = n > 1 ? values[1] - before : 0;
    long mostDifference = leastDifference;
    int changes = 0;
    for (int i = 1; i < n; i++) {
      long value = values[i];
      long difference = value - before;
      least = Math.min(least, value);
      most = Math.max(most, value);
      leastDifference = Math.min(leastDifference, difference);
      mostDifference = Math.max(mostDifference, difference);
      changes += difference != 0 ? 1 : 0;
      before = value;
    }
    minOf[mini] = least;
    maxOf[mini] = most;
    minDifferenceOf[mini] = leastDifference;
    maxDifferenceOf[mini] = mostDifference;
    runs += changes;
  }

  private void scanDifferences(long[] values, int n, int mini) {
    long least = firstDifferenceOf[mini];
    long most = least;
    for (int i = 2; i < n; i++) {
      long difference = values[i] - values[i - 1];
      least = Math.min(least, difference);
      most = Math.max(most, difference);
    }
    minDifferenceOf[mini] = least;
    maxDifferenceOf[mini] = most;
  }

  private void scanExtremes(long[] values, int n, int mini) {
    long least = values[0];
    long most = least;
    for (int i = 1; i < n; i++) {
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
    }
    minOf[mini] = least;
    maxOf[mini] = most;
  }

  /** The mini-blocks that were read. */
  public int minis() {
    return minis;
  }

  /** All mini-blocks for each that was read. */
  public double scale() {
    return (double) minis(count) / minis;
  }

  /** How many values differ from the one before, if that was sought; the first counts. */
  public int runs() {
    return (int) (runs * scale());
  }

  public boolean isConstant() {
    return has(VALUES) && min == max;
  }

  public long min() {
    return min;
  }

  /** The first value of each mini-block. */
  public long[] starts() {
    return firstOf;
  }

  /** The least value of a mini-block, or the least difference of an order. */
  public long reference(int mini, int order) {
    return order == 0 ? minOf[mini] : minDifferenceOf[mini];
  }

  /** The bits of what exceeds {@link #reference}. */
  public int width(int mini, int order) {
    return Bits.width(excess(mini, order));
  }

  private long excess(int mini, int order) {
    return order == 0 ? maxOf[mini] - minOf[mini] : maxDifferenceOf[mini] - minDifferenceOf[mini];
  }

  /** The largest less the least value of some mini-blocks. */
  public long range(int mini, int end) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (int m = mini; m < end; m++) {
      least = Math.min(least, minOf[m]);
      most = Math.max(most, maxOf[m]);
    }
    return most - least;
  }

  /** The bytes that all values take, packed in mini-blocks. */
  public double packedBytes(int order) {
    return packedBytes(order, 1);
  }

  /** The bytes that they take if what exceeds a reference is divided before. */
  public double packedBytes(int order, long divisor) {
    long bytes = 0;
    for (int mini = 0; mini < minis; mini++) {
      int n = Math.min(MiniBlock.VALUES, count - places.start(mini));
      long excess = excess(mini, order);
      long number = divisor == 1 ? excess : Long.divideUnsigned(excess, divisor);
      bytes += MiniBlock.bytes(n, Bits.width(number));
    }
    return bytes * scale();
  }
}
