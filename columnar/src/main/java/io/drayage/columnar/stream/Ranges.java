package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.kernel.SafeInts;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;

/**
 * The ranges of values and of differences in the mini-blocks of a stream, and its number of runs.
 * Scans all mini-blocks, or a sample that is spread over the stream and is larger for more bytes.
 * Reused; not thread-safe.
 */
public final class Ranges {
  /** Mini-blocks of narrow values are sampled in groups of so many, which are packed together. */
  private static final int GROUP = 4;

  private static final int LEAST = GROUP;
  private static final int LEAST_NARROW = 2 * GROUP;
  private static final int MOST = 4 * GROUP;

  /**
   * Within these limits, a sample has a mini-block for so many bytes, and at most one of so many.
   */
  private static final int BYTES_OF_ONE = 32 << 10;

  private static final int SHARE = 4;

  /** A shorter mini-block is scanned value by value. */
  private static final int MIN_PADDED = 256;

  private final int[] window = new int[MiniBlock.VALUES];
  private final int[] differences = new int[MiniBlock.VALUES];
  private final int[] lanes = new int[SafeInts.FOLD];
  private final long[] wideWindow = new long[MiniBlock.VALUES];

  /** The minimum and maximum value, the minimum and maximum difference, and the changes. */
  private final long[] found = new long[LongKernels.RANGES];

  private int count;
  private int minis;
  private int group = 1;

  /** Number of mini-blocks from the start of a group to the start of the next. */
  private int stride = 1;

  private int first;
  private int runs;

  /** The value before the next scanned mini-block. */
  private long last;

  private long min;
  private long max;
  private long[] minOf = new long[MOST];
  private long[] maxOf = new long[MOST];
  private long[] excessOf = new long[MOST];

  /** The number of mini-blocks of so many values. */
  public static int minis(int count) {
    return (count + MiniBlock.VALUES - 1) / MiniBlock.VALUES;
  }

  /** Number of values in mini-block {@code mini} of {@code count} values. */
  public static int countOf(int mini, int count) {
    return Math.min(MiniBlock.VALUES, count - mini * MiniBlock.VALUES);
  }

  /**
   * Scans a stream of at least one value.
   *
   * @param sampled whether a sample is enough, if it is much smaller
   */
  public void scan(Values values, boolean sampled) {
    count = values.count();
    if (sampled && count >= 2 * SHARE * MiniBlock.VALUES) {
      takeSome(values);
    } else {
      takeAll();
    }
    if (minOf.length < minis) {
      minOf = new long[minis];
      maxOf = new long[minis];
      excessOf = new long[minis];
    }
    runs = 1;
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
    for (int mini = 0; mini < minis; mini++) {
      scanMini(values, mini);
    }
  }

  private void takeAll() {
    minis = minis(count);
    group = 1;
    stride = 1;
    first = 0;
  }

  private void takeSome(Values values) {
    int all = count / MiniBlock.VALUES;
    boolean narrow = values.rawWidth() < Integer.BYTES;
    int wanted = (int) ((long) count * values.rawWidth() / BYTES_OF_ONE);
    int least = Math.max(narrow ? LEAST_NARROW : LEAST, wanted);
    int some = Math.min(Math.min(MOST, least), all / SHARE);
    group = narrow && some >= LEAST_NARROW ? GROUP : 1;
    int groups = some / group;
    stride = all / groups;
    first = (stride - group) / 2;
    minis = groups * group;
  }

  /** The index of the first value of a scanned mini-block. */
  private int start(int mini) {
    return (first + mini / group * stride + mini % group) * MiniBlock.VALUES;
  }

  private void scanMini(Values values, int mini) {
    int from = start(mini);
    int n = Math.min(MiniBlock.VALUES, count - from);
    long before = last;
    long head;
    if (values.kind().isWide()) {
      values.load(from, n, wideWindow);
      LongKernels.ranges(wideWindow, n, found);
      head = wideWindow[0];
      last = wideWindow[n - 1];
    } else {
      values.load(from, n, window);
      head = window[0];
      last = window[n - 1];
      scanNarrow(values, n);
    }
    runs += (int) found[4] + (mini > 0 && head != before ? 1 : 0);
    minOf[mini] = found[0];
    maxOf[mini] = found[1];
    excessOf[mini] = found[3] - found[2];
    min = Math.min(min, found[0]);
    max = Math.max(max, found[1]);
  }

  private void scanNarrow(Values values, int n) {
    if (n >= MIN_PADDED) {
      // Padding must not change the result.
      Arrays.fill(window, n, MiniBlock.VALUES, window[n - 1]);
      if (values.rawWidth() < Integer.BYTES || SafeInts.areSafe(window, lanes)) {
        scanSafe(n);
        return;
      }
    }
    IntKernels.ranges(window, n, found);
  }

  private void scanSafe(int n) {
    found[0] = SafeInts.least(window, lanes);
    found[1] = SafeInts.most(window, lanes);
    int firstDifference = window[1] - window[0];
    IntKernels.differences(window, n, firstDifference, differences);
    Arrays.fill(differences, n, MiniBlock.VALUES, firstDifference);
    found[2] = SafeInts.least(differences, lanes);
    found[3] = SafeInts.most(differences, lanes);
    int others = 1 + MiniBlock.VALUES - n;
    int changes = SafeInts.nonZeros(differences, lanes);
    found[4] = firstDifference == 0 ? changes : (long) changes - others;
  }

  /** The ratio of all mini-blocks to the scanned ones. */
  private double scale() {
    return (double) minis(count) / minis;
  }

  /** Number of values that differ from their predecessor; the first counts. */
  public int runs() {
    return (int) (runs * scale());
  }

  /** Whether all scanned values are equal. */
  public boolean isConstant() {
    return min == max;
  }

  /** Bytes of all values, or differences, when packed in mini-blocks. */
  public double packedBytes(int order) {
    return packedBytes(order, 1);
  }

  /** Bytes of all values, or differences, when their excess over a reference is divided first. */
  public double packedBytes(int order, long divisor) {
    long bytes = 0;
    for (int mini = 0; mini < minis; mini++) {
      int n = Math.min(MiniBlock.VALUES, count - start(mini));
      long excess = order == 0 ? maxOf[mini] - minOf[mini] : excessOf[mini];
      long number = divisor == 1 ? excess : Long.divideUnsigned(excess, divisor);
      bytes += MiniBlock.bytes(n, Bits.width(number));
    }
    return bytes * scale();
  }

  /**
   * Bytes of all values when packed in blocks of several mini-blocks.
   *
   * @param bytesOf bytes of so many values of some width
   */
  public double packedBytes(int minisOfBlock, IntBinaryOperator bytesOf) {
    long bytes = 0;
    for (int mini = 0; mini < minis; mini += minisOfBlock) {
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      for (int m = mini; m < Math.min(minis, mini + minisOfBlock); m++) {
        least = Math.min(least, minOf[m]);
        most = Math.max(most, maxOf[m]);
      }
      int values = Math.min(minisOfBlock * MiniBlock.VALUES, count - mini * MiniBlock.VALUES);
      bytes += bytesOf.applyAsInt(values, Bits.width(most - least));
    }
    return bytes * scale();
  }
}
