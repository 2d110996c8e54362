package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.OffsetBits;
import io.drayage.columnar.kernel.Tans;
import io.drayage.columnar.stream.Malformed;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The bins of a stream that hold numbers, in the form of its tables. Not thread-safe. */
final class BinTable {
  /** The minimum of each bin. */
  final long[] lower = new long[Tans.MAX_SYMBOLS];

  /** Number of tANS states of each bin. */
  final long[] weights = new long[Tans.MAX_SYMBOLS];

  /** Number of bits of an offset in each bin. */
  final int[] offsetBits = new int[Tans.MAX_SYMBOLS];

  private final long[] widths = new long[Tans.MAX_SYMBOLS];
  private final long[] otherWidths = new long[Tans.MAX_SYMBOLS];
  private final int[] counts = new int[Tans.MAX_SYMBOLS];
  private final int[] otherCounts = new int[Tans.MAX_SYMBOLS];
  private final int[] newBin = new int[Tans.MAX_SYMBOLS];
  private int count;
  private int mostBits;

  /** Number of bins. */
  int count() {
    return count;
  }

  /** Maximum bits of an offset. */
  int mostBits() {
    return mostBits;
  }

  /** Number of bits of all offsets of the assigned numbers. */
  long totalBits() {
    long bits = 0;
    for (int bin = 0; bin < count; bin++) {
      bits += (long) counts[bin] * offsetBits[bin];
    }
    return bits;
  }

  /** Finds the bin of each number, and the bits of each bin; drops bins without a number. */
  void assign(Bins bins, long[] numbers, int[] codes, int number) {
    int all = bins.count();
    Arrays.fill(counts, 0);
    Arrays.fill(otherCounts, 0);
    Arrays.fill(widths, 0);
    Arrays.fill(otherWidths, 0);
    // Two sets of counters, so that consecutive equal bins do not wait for each other.
    int even = number & -2;
    for (int i = 0; i < even; i += 2) {
      note(bins, numbers[i], i, codes, counts, widths);
      note(bins, numbers[i + 1], i + 1, codes, otherCounts, otherWidths);
    }
    for (int i = even; i < number; i++) {
      note(bins, numbers[i], i, codes, counts, widths);
    }
    count = 0;
    mostBits = 0;
    for (int bin = 0; bin < all; bin++) {
      newBin[bin] = count;
      counts[count] = counts[bin] + otherCounts[bin];
      lower[count] = bins.lower(bin);
      offsetBits[count] = Bits.width(widths[bin] | otherWidths[bin]);
      mostBits = Math.max(mostBits, offsetBits[count]);
      count += counts[count] > 0 ? 1 : 0;
    }
    for (int i = 0; count < all && i < number; i++) {
      codes[i] = newBin[codes[i]];
    }
  }

  private static void note(
      Bins bins, long number, int i, int[] codes, int[] countOf, long[] offsetsOf) {
    int bin = bins.of(number);
    codes[i] = bin;
    countOf[bin]++;
    offsetsOf[bin] |= number - bins.lower(bin);
  }

  /** Weighs the bins by their numbers, for {@code 1 << log} states. */
  void weigh(int log) {
    Tans.weigh(counts, count, log, weights);
  }

  /** Writes the three tables. */
  void write(ByteBuffer target) {
    SmallTable.write(lower, count, target);
    SmallTable.write(weights, count, target);
    for (int bin = 0; bin < count; bin++) {
      widths[bin] = offsetBits[bin];
    }
    SmallTable.write(widths, count, target);
  }

  /** Reads the tables of so many bins, which have {@code 1 << log} states. */
  void read(ByteBuffer source, int bins, int log) throws ShipmentException {
    Malformed.unlessWithin("bins", bins, 1, Math.min(Tans.MAX_SYMBOLS, 1 << log));
    count = bins;
    SmallTable.read(source, count, lower);
    SmallTable.read(source, count, weights);
    long left = 1L << log;
    for (int bin = 0; bin < count; bin++) {
      Malformed.unlessWithin("a bin's weight", weights[bin], 1, left);
      left -= weights[bin];
    }
    Malformed.unlessWithin("states without a bin", left, 0, 0);
    SmallTable.read(source, count, widths);
    mostBits = 0;
    for (int bin = 0; bin < count; bin++) {
      Malformed.unlessWithin("bits of an offset", widths[bin], 0, OffsetBits.MAX_BITS);
      offsetBits[bin] = (int) widths[bin];
      mostBits = Math.max(mostBits, offsetBits[bin]);
    }
  }

  /** Replaces each lower bound {@code b} by {@code first + divisor * b}. */
  void scale(long first, long divisor) {
    for (int bin = 0; bin < count; bin++) {
      lower[bin] = first + divisor * lower[bin];
    }
  }
}
