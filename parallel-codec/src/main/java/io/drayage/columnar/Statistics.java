package io.drayage.columnar;

/**
 * What one pass over the values of a stream tells exactly, for each mini-block. For one thread;
 * used for stream after stream.
 */
final class Statistics {
  /** What a pass may look for: the least and the most value of each mini-block. */
  static final int VALUES = 1;

  /** The least and the most difference between neighbours. */
  static final int DIFFERENCES = 2;

  /** How many runs of equal values there are. */
  static final int RUNS = 4;

  static final int ALL = VALUES | DIFFERENCES | RUNS;

  private final int[] window = new int[Words.MINI];
  private final int[] differences = new int[Words.MINI];
  private final int[] lanes = new int[256];
  private final long[] wideWindow = new long[Words.MINI];

  private int count;
  private int minis;
  private int scanned;
  private int runs;
  private long min;
  private long max;
  private long[] minOf = new long[0];
  private long[] maxOf = new long[0];
  private long[] minDifferenceOf = new long[0];
  private long[] maxDifferenceOf = new long[0];
  private long[] firstOf = new long[0];
  private long[] firstDifferenceOf = new long[0];

  static int minis(int count) {
    return (count + Words.MINI - 1) / Words.MINI;
  }

  /** The values in mini-block {@code mini} of {@code count} values. */
  static int countOf(int mini, int count) {
    return Math.min(Words.MINI, count - mini * Words.MINI);
  }

  /** Reads all values, of which there is at least one, for {@link #ALL}. */
  void scan(Values values) {
    scan(values, ALL);
  }

  /** Reads all values and finds out what is asked for, or more. */
  void scan(Values values, int sought) {
    scanned = sought;
    count = values.count();
    minis = minis(count);
    if (minOf.length < minis) {
      minOf = new long[minis];
      maxOf = new long[minis];
      minDifferenceOf = new long[minis];
      maxDifferenceOf = new long[minis];
      firstOf = new long[minis];
      firstDifferenceOf = new long[minis];
    }
    runs = 1;
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
    if (values.kind().isWide()) {
      scanWide(values);
    } else {
      scanNarrow(values);
    }
    if (has(VALUES)) {
      for (int mini = 0; mini < minis; mini++) {
        min = Math.min(min, minOf[mini]);
        max = Math.max(max, maxOf[mini]);
      }
    }
  }

  /** Whether the last pass looked for this. */
  boolean has(int sought) {
    return (scanned & sought) == sought;
  }

  private void scanNarrow(Values values) {
    int last = 0;
    for (int mini = 0; mini < minis; mini++) {
      int n = countOf(mini, count);
      values.load(mini * Words.MINI, n, window);
      runs += mini > 0 && window[0] != last ? 1 : 0;
      firstOf[mini] = window[0];
      last = window[n - 1];
      int firstDifference = n > 1 ? window[1] - window[0] : 0;
      firstDifferenceOf[mini] = firstDifference;
      if (n == Words.MINI && IntKernels.areSafe(window, lanes)) {
        scanSafe(firstDifference, mini);
      } else {
        scanMini(window, n, mini);
      }
    }
  }

  private void scanSafe(int firstDifference, int mini) {
    if (has(VALUES)) {
      minOf[mini] = IntKernels.least(window, lanes);
      maxOf[mini] = IntKernels.most(window, lanes);
    }
    if (scanned == VALUES) {
      return;
    }
    IntKernels.differences(window, Words.MINI, firstDifference, differences);
    if (has(DIFFERENCES)) {
      minDifferenceOf[mini] = IntKernels.least(differences, lanes);
      maxDifferenceOf[mini] = IntKernels.most(differences, lanes);
    }
    if (has(RUNS)) {
      runs += IntKernels.nonZeros(differences, lanes) - (firstDifference != 0 ? 1 : 0);
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

  private void scanWide(Values values) {
    long last = 0;
    for (int mini = 0; mini < minis; mini++) {
      int n = countOf(mini, count);
      values.load(mini * Words.MINI, n, wideWindow);
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

  int count() {
    return count;
  }

  int minis() {
    return minis;
  }

  /** How many values differ from the one before, if that was sought; the first counts. */
  int runs() {
    return runs;
  }

  boolean isConstant() {
    return has(VALUES) && min == max;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }

  /** The first value of each mini-block. */
  long[] starts() {
    return firstOf;
  }

  /** The least value of a mini-block, or the least difference of an order. */
  long reference(int mini, int order) {
    return order == 0 ? minOf[mini] : minDifferenceOf[mini];
  }

  /** The bits of what exceeds {@link #reference}. */
  int width(int mini, int order) {
    return Words.width(
        order == 0 ? maxOf[mini] - minOf[mini] : maxDifferenceOf[mini] - minDifferenceOf[mini]);
  }

  /** The bytes that all values take, packed in mini-blocks. */
  long packedBytes(int order) {
    long bytes = 0;
    for (int mini = 0; mini < minis; mini++) {
      bytes += Words.bytes(countOf(mini, count), width(mini, order));
    }
    return bytes;
  }

  /** The bytes that all values take in blocks of bytes or shorts. */
  double narrowBytes(int rawWidth) {
    int minisOfBlock = NarrowBlock.VALUES / Words.MINI;
    double bytes = NarrowWriter.headBytes(count, rawWidth);
    for (int mini = 0; mini < minis; mini += minisOfBlock) {
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      for (int m = mini; m < Math.min(minis, mini + minisOfBlock); m++) {
        least = Math.min(least, minOf[m]);
        most = Math.max(most, maxOf[m]);
      }
      int number = Math.min(NarrowBlock.VALUES, count - mini * Words.MINI);
      bytes += NarrowWriter.packedBytes(number, Words.width(most - least));
    }
    return bytes;
  }

  /** The most that {@link #width} is for an order. */
  int maxWidth(int order) {
    int width = 0;
    for (int mini = 0; mini < minis; mini++) {
      width = Math.max(width, width(mini, order));
    }
    return width;
  }
}
