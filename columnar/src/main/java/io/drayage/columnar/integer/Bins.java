package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Tans;
import java.util.Arrays;

/**
 * Ranges that together hold all numbers. A number is coded by its range, according to the
 * frequency, and by its offset there. The ranges that need the fewest bits are found in a sorted
 * sample, by dynamic programming over its quantiles. After pcodec (M. Loncaric, arXiv:2502.06112),
 * but from a sample. Reused; not thread-safe.
 */
final class Bins {
  /** Maximum number of values in a sample. */
  static final int MAX_SAMPLE = 4_096;

  /** Maximum number of quantiles, and of bins of a sample. Bins for gaps and ends are added. */
  private static final int MAX_QUANTILES = 126;

  /** Bits of a bin in the tables, without its lower bound. */
  private static final int TABLE_BITS = 12;

  /** Number of sampled numbers for which the table of cells is laid out. */
  private static final int PROBES = 65;

  /** Binary logarithms of whole numbers. */
  private static final float[] LOG = new float[MAX_SAMPLE + 1];

  static {
    for (int i = 1; i < LOG.length; i++) {
      LOG[i] = (float) (StrictMath.log(i) / StrictMath.log(2));
    }
  }

  /**
   * The least and greatest number of each quantile, as their excess over the first number, divided
   * by the divisor, and the number of values before the quantile.
   */
  private final long[] least = new long[MAX_QUANTILES + 1];

  private final long[] most = new long[MAX_QUANTILES + 1];
  private final int[] before = new int[MAX_QUANTILES + 2];
  private int quantiles;

  /** The lowest cost of the first quantiles, and the start of their last bin. */
  private final double[] cost = new double[MAX_QUANTILES + 2];

  private final int[] lastBin = new int[MAX_QUANTILES + 2];

  private long first;
  private long divisor;

  /** The bins of the sample: the minimum and the maximum seen in each. */
  private final long[] found = new long[MAX_QUANTILES + 1];

  private final long[] tops = new long[MAX_QUANTILES + 1];

  /** Lower bounds, ascending, the first is 0; filled up with a value above all numbers. */
  private final long[] lower = new long[Tans.MAX_SYMBOLS];

  private int count;

  private final BinCells cells = new BinCells();

  /** Some numbers of the sample. */
  private final long[] probes = new long[PROBES];

  private int probed;

  /** Number of bins, empty ones included. */
  int count() {
    return count;
  }

  /** The lower bound of a bin, divided by the divisor; valid until the next search. */
  long lower(int bin) {
    return lower[bin];
  }

  /**
   * Searches the best bins for a sample.
   *
   * @param sample ascending, at least one, at most {@value #MAX_SAMPLE}
   * @param total number of values in all
   * @param newDivisor divisor of all numbers' excess over the first
   * @return number of bits for all numbers together, tables included
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
          break; // wider bins have at least as many bits for more numbers
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
   * Extends the found bins so that they hold all numbers.
   *
   * @param leastOfAll at most the first number of the sample
   * @param range the maximum's excess over {@code leastOfAll}, divided by the divisor; below 2^62
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

  /** Puts bins between bins that are far from each other, and at both ends. */
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
      // A bin of at most twice the width needs one more bit, and only if the gap has numbers.
      boolean near = bin + 1 < bins && next - found[bin] <= 2L << bits;
      free = near || end > next ? next : end;
    }
    if (free <= range) {
      lower[count++] = free;
    }
  }

  /** Returns the bin of a number that is divided by the divisor; at most the range. */
  int of(long number) {
    int bin = cells.binOf(number);
    return bin >= 0 ? bin : search(number);
  }

  private int search(long number) {
    int bin = 0;
    for (int step = Tans.MAX_SYMBOLS / 2; step > 0; step >>= 1) {
      // All bits are set if the number is at least the bound: no branch.
      bin += (int) ((lower[bin + step] - 1 - number) >> (Long.SIZE - 1)) & step;
    }
    return bin;
  }
}
