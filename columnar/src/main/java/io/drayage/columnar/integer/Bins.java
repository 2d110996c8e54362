package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Tans;
import java.util.Arrays;

/**
 * Ranges that together hold all numbers, such that a number's range, by how frequent it is, and its
 * offset there take few bits: found in a sorted sample, by dynamic programming over its quantiles.
 * After pcodec (M. Loncaric, arXiv:2502.06112), but from a sample. Reused; not thread-safe.
 */
final class Bins {
  /** The most numbers of a sample. */
  static final int MAX_SAMPLE = 4_096;

  /** The most quantiles, and bins of a sample; those between and at both ends come in addition. */
  private static final int MAX_QUANTILES = 126;

  /** The bits of a bin in the tables, without its lower bound. */
  private static final int TABLE_BITS = 12;

  /** Numbers of a sample by which the table of cells is laid out. */
  private static final int PROBES = 65;

  /** Binary logarithms of whole numbers. */
  private static final float[] LOG = new float[MAX_SAMPLE + 1];

  static {
    for (int i = 1; i < LOG.length; i++) {
      LOG[i] = (float) (StrictMath.log(i) / StrictMath.log(2));
    }
  }

  /**
   * For each quantile, what its least and greatest number exceed the first by, over the divisor,
   * and how many numbers are before it.
   */
  private final long[] least = new long[MAX_QUANTILES + 1];

  private final long[] most = new long[MAX_QUANTILES + 1];
  private final int[] before = new int[MAX_QUANTILES + 2];
  private int quantiles;

  /** The least cost of the first quantiles, and where the last bin begins then. */
  private final double[] cost = new double[MAX_QUANTILES + 2];

  private final int[] lastBin = new int[MAX_QUANTILES + 2];

  private long first;
  private long divisor;

  /** The bins of the sample: the least and the greatest number that was seen in each. */
  private final long[] found = new long[MAX_QUANTILES + 1];

  private final long[] tops = new long[MAX_QUANTILES + 1];

  /** Ascending, the first is 0; filled up with what no number reaches. */
  private final long[] lower = new long[Tans.MAX_SYMBOLS];

  private int count;

  private final BinCells cells = new BinCells();

  /** Some numbers of the sample. */
  private final long[] probes = new long[PROBES];

  private int probed;

  /** How many bins there are, empty ones included. */
  int count() {
    return count;
  }

  /** The least number that a bin may hold, over the divisor; valid until the next search. */
  long lower(int bin) {
    return lower[bin];
  }

  /**
   * Looks at a sample.
   *
   * @param sample ascending, at least one, at most {@value #MAX_SAMPLE}
   * @param total how many numbers there are in all
   * @param newDivisor of what the numbers exceed the first by
   * @return the bits that all numbers would take together, the tables included
   */
  double search(long[] sample, int number, double total, long newDivisor) {
    first = sample[0];
    divisor = newDivisor;
    probed = Math.min(number, PROBES);
    for (int i = 0; i < probed; i++) {
      probes[i] = sample[(int) ((long) i * (number - 1) / Math.max(1, probed - 1))];
    }
    cut(sample, number);
    long range = (sample[number - 1] - first) / divisor;
    double scale = total / number;
    double binBits = (Bits.width(range) + TABLE_BITS) / scale;
    for (int end = 1; end <= quantiles; end++) {
      cost[end] = Double.MAX_VALUE;
      for (int from = end - 1; from >= 0; from--) {
        int held = before[end] - before[from];
        int bits = Bits.width(most[end - 1] - least[from]);
        double whole = cost[from] + binBits + held * ((double) LOG[number] - LOG[held] + bits);
        if (whole < cost[end]) {
          cost[end] = whole;
          lastBin[end] = from;
        } else if ((double) held * bits >= cost[end]) {
          break; // wider ones have as many bits for more numbers
        }
      }
    }
    return cost[quantiles] * scale;
  }

  /** Cuts a sample into quantiles; numbers that are equal stay together. */
  private void cut(long[] sample, int number) {
    int target = Math.max(1, (number + MAX_QUANTILES / 2 - 1) / (MAX_QUANTILES / 2));
    quantiles = 0;
    int from = 0;
    int at = 0;
    while (at < number) {
      int end = at + 1;
      while (end < number && sample[end] == sample[at]) {
        end++;
      }
      // A frequent number is a quantile by itself.
      if (end - at >= target && at > from) {
        addQuantile(sample, from, at);
        from = at;
      }
      if (end - from >= target || end == number) {
        addQuantile(sample, from, end);
        from = end;
      }
      at = end;
    }
  }

  private void addQuantile(long[] sample, int from, int end) {
    least[quantiles] = (sample[from] - first) / divisor;
    most[quantiles] = (sample[end - 1] - first) / divisor;
    before[quantiles] = from;
    before[++quantiles] = end;
  }

  /**
   * Makes the bins that were found such that they hold all numbers.
   *
   * @param leastOfAll at most the first of the sample
   * @param range what the greatest exceeds it by, over the divisor; below 2^62
   */
  void choose(long leastOfAll, long range) {
    long below = (first - leastOfAll) / divisor;
    int bins = 0;
    for (int end = quantiles; end > 0; end = lastBin[end]) {
      bins++;
    }
    int at = bins;
    for (int end = quantiles; end > 0; end = lastBin[end]) {
      at--;
      found[at] = below + least[lastBin[end]];
      tops[at] = below + most[end - 1];
    }
    spaceOut(bins, range);
    Arrays.fill(lower, count, lower.length, Long.MAX_VALUE);
    for (int i = 0; i < probed; i++) {
      probes[i] = (probes[i] - leastOfAll) / divisor;
    }
    cells.divide(lower, count, range, probes, probed);
  }

  /** Puts bins between those that are far from each other, and at both ends. */
  private void spaceOut(int bins, long range) {
    count = 0;
    long free = 0;
    for (int bin = 0; bin < bins; bin++) {
      if (found[bin] > free) {
        lower[count++] = free;
      }
      lower[count++] = found[bin];
      int bits = Bits.width(tops[bin] - found[bin]);
      long end = found[bin] + (1L << bits);
      long next = bin + 1 < bins ? found[bin + 1] : range + 1;
      // What is at most as wide again costs a bit, and only if there is anything.
      boolean near = bin + 1 < bins && next - found[bin] <= 2L << bits;
      free = near || end > next ? next : end;
    }
    if (free <= range) {
      lower[count++] = free;
    }
  }

  /** The bin of a number, over the divisor; at most the range. */
  int of(long number) {
    int bin = cells.binOf(number);
    return bin >= 0 ? bin : search(number);
  }

  private int search(long number) {
    int bin = 0;
    for (int step = Tans.MAX_SYMBOLS / 2; step > 0; step >>= 1) {
      // All bits are set if the number is not below: no branch.
      bin += (int) ((lower[bin + step] - 1 - number) >> (Long.SIZE - 1)) & step;
    }
    return bin;
  }
}
