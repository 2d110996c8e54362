package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.kernel.OffsetBits;
import io.drayage.columnar.kernel.Tans;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Estimates;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Glimpse;
import io.drayage.columnar.stream.Hint;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.ValueSample;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values, or their differences, as the {@link Bins} they lie in, entropy-coded by {@link Tans}, and
 * their offsets there: for what is unevenly distributed.
 *
 * <pre>
 *   0       1       2        4            8           16            24
 *   +-------+-------+--------+------------+-----------+-------------+------------+
 *   | order | log   | bins   | bytes of   | divisor   | least       | starts     |
 *   | u8    | u8    | u16    | offsets i32| i64       | i64         | i64 * order|
 *   +-------+-------+--------+------------+-----------+-------------+------------+
 *   | lower bounds | weights    | bits of an offset | offsets | tANS     |
 *   | table        | table      | table             |         |          |
 *   +--------------+------------+-------------------+---------+----------+
 * </pre>
 *
 * A number is {@code least + divisor * (lower bound + offset)}; it is a difference of the order,
 * and the starts are what the differences of each order, from 0 on, would be before the first.
 */
public final class BinsEncoding extends Encoding {
  private static final int HEADER_BYTES = 24;

  /** The highest order of differences that is read, and that is written. */
  private static final int MAX_ORDER = 7;

  private static final int MAX_TRIED_ORDER = 2;

  /** What is written are numbers less than 2 to the power of this: sums do not overflow. */
  private static final int MAX_OFFSET_BITS = OffsetBits.MAX_BITS - 1;

  /** What is read behind the bytes of a stream, whatever they tell. */
  private static final int PADDING =
      Tans.PADDING + MiniBlock.VALUES * OffsetBits.MAX_BITS / Byte.SIZE + OffsetBits.PADDING;

  /** Runs of values that together tell what becomes of a stream. */
  private static final int LEARN_RUNS = 8;

  private static final int LEARN_RUN = 128;
  private static final double LEARN_NS = 150_000;

  private final boolean isSought;
  private final Workspace workspace;
  private final Bins bins = new Bins();
  private final Tans tans = new Tans();
  private final SmallTable table = new SmallTable();
  private final long[] sample = new long[Bins.MAX_SAMPLE];
  private final long[] lower = new long[Tans.MAX_SYMBOLS];
  private final long[] weights = new long[Tans.MAX_SYMBOLS];
  private final long[] widths = new long[Tans.MAX_SYMBOLS];
  private final long[] otherWidths = new long[Tans.MAX_SYMBOLS];
  private final int[] offsetBits = new int[Tans.MAX_SYMBOLS];
  private final int[] counts = new int[Tans.MAX_SYMBOLS];
  private final int[] otherCounts = new int[Tans.MAX_SYMBOLS];
  private final int[] newBin = new int[Tans.MAX_SYMBOLS];
  private final long[] before = new long[MAX_ORDER];
  private final int[] symbols = new int[MiniBlock.VALUES];
  private byte[] coded = new byte[0];

  /** Of the numbers that were taken last. */
  private long least;

  private long most;

  /**
   * @param isSought whether it may be worth its time
   */
  public BinsEncoding(boolean isSought, Workspace workspace) {
    super(23, "BINS");
    this.isSought = isSought;
    this.workspace = workspace;
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return widened(kind, rawWidth, 15, 16);
  }

  @Override
  public void glimpse(Glimpse glimpse) {
    if (isSought) {
      glimpse.addUnseen(this);
    }
  }

  @Override
  public double learnNs() {
    return LEARN_NS;
  }

  /** The order, and the bits of a value. */
  @Override
  public @Nullable Hint learn(ValueSample unused, Values values) {
    if (!isSought) {
      return null;
    }
    Hint best = null;
    for (int order = 0; order <= MAX_TRIED_ORDER; order++) {
      Hint hint = tried(values, order);
      if (hint != null && (best == null || hint.estimate() < best.estimate())) {
        best = hint;
      }
    }
    return best;
  }

  private @Nullable Hint tried(Values values, int order) {
    int number = takeSample(values, order);
    Arrays.sort(sample, 0, number);
    if (number == 0 || !isNear(sample[0], sample[number - 1])) {
      return null;
    }
    long divisor = Bins.commonDivisor(sample, number);
    double bits = bins.search(sample, number, values.count(), divisor) / values.count();
    return new Hint(order, 0, bits);
  }

  private static boolean isNear(long least, long most) {
    return (most - least) >>> MAX_OFFSET_BITS == 0;
  }

  /** Takes differences of an order from some runs of values; how many there are. */
  private int takeSample(Values values, int order) {
    long[] window = workspace.wideWindow;
    int count = values.count();
    int runs = Math.min(LEARN_RUNS, Math.max(1, count / LEARN_RUN));
    int length = Math.min(LEARN_RUN, count);
    int number = 0;
    for (int run = 0; run < runs; run++) {
      int from = runs == 1 ? 0 : (int) ((long) (count - length) * run / (runs - 1));
      values.loadLongs(from, length, window, 0, workspace.window);
      Arrays.fill(before, 0);
      subtract(window, length, order, values.kind());
      for (int i = order; i < length; i++) {
        sample[number++] = window[i];
      }
    }
    return number;
  }

  /** Replaces values by their differences of an order, and keeps the last of lower orders. */
  private void subtract(long[] window, int number, int order, Kind kind) {
    for (int o = 0; o < order; o++) {
      long last = before[o];
      for (int i = 0; i < number; i++) {
        long value = window[i];
        window[i] = value - last;
        last = value;
      }
      before[o] = last;
    }
    if (order > 0 && !kind.isWide()) {
      for (int i = 0; i < number; i++) {
        window[i] = (int) window[i];
      }
    }
  }

  @Override
  public void estimate(Estimates estimates) {
    Hint hint = estimates.hint(this);
    if (hint != null) {
      estimates.add(this, HEADER_BYTES + hint.estimate() * estimates.count() / Byte.SIZE, 0);
    }
  }

  @Override
  public @Nullable List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    Hint hint = facts.hint(this);
    int order = hint == null ? 0 : (int) hint.parameter();
    int count = values.count();
    if (count <= order) {
      return null;
    }
    takeSample(values, order);
    extrapolate(values, order, sample[0]);
    int head = target.position();
    target.position(checked(head + HEADER_BYTES, target));
    for (int o = 0; o < order; o++) {
      target.putLong(before[o]);
    }
    long[] numbers = workspace.longs(count);
    take(values, order, numbers);
    if (!isNear(least, most)) {
      return null;
    }
    long divisor = search(numbers, count);
    long range = (most - least) / divisor;
    bins.choose(least, range);
    int[] codes = workspace.codes(count);
    int binCount = assign(numbers, codes, count);
    int log = Math.min(Tans.MAX_LOG, binCount == 1 ? 0 : Bits.width(count - 1));
    Tans.weigh(counts, binCount, log, weights);
    table.write(lower, binCount, target);
    table.write(weights, binCount, target);
    table.write(widths, binCount, target);
    int bytes = writeCoded(numbers, codes, count, binCount, log, target);
    target.put(head, (byte) order).put(head + 1, (byte) log).putShort(head + 2, (short) binCount);
    target.putInt(head + 4, bytes).putLong(head + 8, divisor).putLong(head + 16, least);
    return List.of();
  }

  private static int checked(int position, ByteBuffer target) {
    if (position > target.limit()) {
      throw new BufferOverflowException();
    }
    return position;
  }

  /**
   * Finds what the differences of lower orders would be before the first value, such that those of
   * the order begin with an ordinary one.
   */
  private void extrapolate(Values values, int order, long ordinary) {
    long[] window = workspace.wideWindow;
    values.loadLongs(0, order, window, 0, workspace.window);
    Arrays.fill(before, 0);
    subtract(window, order, order, values.kind());
    for (int back = 0; back < order; back++) {
      for (int o = 0; o < order; o++) {
        before[o] -= o + 1 < order ? before[o + 1] : ordinary;
      }
    }
  }

  /** Takes the differences of an order, and finds the least and the greatest. */
  private void take(Values values, int order, long[] numbers) {
    long[] window = workspace.wideWindow;
    int count = values.count();
    least = Long.MAX_VALUE;
    most = Long.MIN_VALUE;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, count - from);
      values.loadLongs(from, some, window, 0, workspace.window);
      subtract(window, some, order, values.kind());
      for (int i = 0; i < some; i++) {
        least = Math.min(least, window[i]);
        most = Math.max(most, window[i]);
      }
      System.arraycopy(window, 0, numbers, from, some);
    }
  }

  /**
   * Looks for bins in a sample of all numbers, which are then what they exceed the least by, over
   * the divisor.
   */
  private long search(long[] numbers, int count) {
    int number = Math.min(count, Bins.MAX_SAMPLE);
    for (int i = 0; i < number; i++) {
      sample[i] = numbers[(int) ((long) i * count / number)];
    }
    Arrays.sort(sample, 0, number);
    long divisor = Bins.commonDivisor(sample, number);
    if (divisor > 1 && !divide(numbers, count, divisor)) {
      divisor = 1;
    }
    if (divisor == 1) {
      for (int i = 0; i < count; i++) {
        numbers[i] -= least;
      }
    }
    bins.search(sample, number, count, divisor);
    return divisor;
  }

  /**
   * Divides what numbers exceed the least by; false, and nothing is changed, if there is a rest.
   */
  private boolean divide(long[] numbers, int count, long divisor) {
    int twos = Long.numberOfTrailingZeros(divisor);
    long odd = divisor >>> twos;
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    long largest = (most - least) / divisor;
    long wrong = 0;
    long rest = 0;
    for (int i = 0; i < count; i++) {
      long above = numbers[i] - least;
      // Only a multiple times the inverse, modulo 2^64, is as small as a quotient.
      long quotient = (above >>> twos) * inverse;
      wrong |= quotient | (largest - quotient);
      rest |= above;
    }
    if (wrong < 0 || Long.numberOfTrailingZeros(rest) < twos) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      numbers[i] = ((numbers[i] - least) >>> twos) * inverse;
    }
    return true;
  }

  /** Finds the bin of each number, and what each bin takes; how many are not empty. */
  private int assign(long[] numbers, int[] codes, int count) {
    int all = bins.count();
    Arrays.fill(counts, 0);
    Arrays.fill(otherCounts, 0);
    Arrays.fill(widths, 0);
    Arrays.fill(otherWidths, 0);
    // In turns: what falls into the same bin twice in a row need not wait.
    int even = count & -2;
    for (int i = 0; i < even; i += 2) {
      note(numbers[i], i, codes, counts, widths);
      note(numbers[i + 1], i + 1, codes, otherCounts, otherWidths);
    }
    for (int i = even; i < count; i++) {
      note(numbers[i], i, codes, counts, widths);
    }
    int used = 0;
    for (int bin = 0; bin < all; bin++) {
      newBin[bin] = used;
      counts[used] = counts[bin] + otherCounts[bin];
      lower[used] = bins.lower(bin);
      offsetBits[used] = Bits.width(widths[bin] | otherWidths[bin]);
      widths[used] = offsetBits[used];
      used += counts[used] > 0 ? 1 : 0;
    }
    for (int i = 0; used < all && i < count; i++) {
      codes[i] = newBin[codes[i]];
    }
    return used;
  }

  private void note(long number, int i, int[] codes, int[] countOf, long[] offsetsOf) {
    int bin = bins.of(number);
    codes[i] = bin;
    countOf[bin]++;
    offsetsOf[bin] |= number - bins.lower(bin);
  }

  /** Writes the bins of the numbers, and their offsets; the bytes of the bins. */
  private int writeCoded(
      long[] numbers, int[] codes, int count, int binCount, int log, ByteBuffer target) {
    long bits = 0;
    for (int bin = 0; bin < binCount; bin++) {
      bits += (long) counts[bin] * offsetBits[bin];
    }
    long most = Math.max(bits / Byte.SIZE + 1 + OffsetBits.PADDING, Tans.maxBytes(count, log));
    if (most > Integer.MAX_VALUE - Byte.SIZE || bits / Byte.SIZE > target.remaining()) {
      throw new BufferOverflowException();
    }
    byte[] bytes = bytes((int) most);
    int offsetBytes =
        OffsetBits.write(numbers, codes, count, lower, offsetBits, mostBits(binCount), bytes);
    target.put(bytes, 0, offsetBytes);
    int tansBytes = tans.encode(weights, binCount, log, codes, count, bytes);
    target.put(bytes, 0, tansBytes);
    return offsetBytes;
  }

  private int mostBits(int binCount) {
    int most = 0;
    for (int bin = 0; bin < binCount; bin++) {
      most = Math.max(most, offsetBits[bin]);
    }
    return most;
  }

  private byte[] bytes(int length) {
    if (coded.length < length) {
      coded = new byte[Math.max(length, 2 * coded.length)];
    }
    return coded;
  }

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
    Malformed.unlessThere("the head of bins", source, HEADER_BYTES);
    int order = source.get();
    int log = source.get();
    int binCount = source.getShort();
    int offsetBytes = source.getInt();
    long divisor = source.getLong();
    final long first = source.getLong();
    Malformed.unlessWithin("an order of differences", order, 0, MAX_ORDER);
    Malformed.unlessWithin("the states of bins, as a power of 2,", log, 0, Tans.MAX_LOG);
    Malformed.unlessWithin("bins", binCount, 1, Math.min(Tans.MAX_SYMBOLS, 1 << log));
    Malformed.unlessThere("starts", source, (long) order * Long.BYTES);
    for (int o = 0; o < order; o++) {
      before[o] = source.getLong();
    }
    readTables(source, binCount, log);
    for (int bin = 0; bin < binCount; bin++) {
      lower[bin] = first + divisor * lower[bin];
    }
    int length = source.remaining();
    Malformed.unlessWithin("bytes of offsets", offsetBytes, 0, length - Tans.HEAD_BYTES);
    byte[] bytes = bytes(length + PADDING);
    source.get(bytes, 0, length);
    if (!tans.begin(weights, binCount, log, bytes, offsetBytes)) {
      throw Malformed.because("a state of bins is not below %,d".formatted(1 << log));
    }
    long[] window = workspace.wideWindow;
    int mostBits = mostBits(binCount);
    long bit = 0;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, count - from);
      Malformed.unlessWithin("bytes of bins", tans.position(), 0, length);
      Malformed.unlessWithin("bytes of offsets", bit >>> 3, 0, offsetBytes);
      tans.decode(bytes, symbols, some);
      bit =
          OffsetBits.read(bytes, bit, symbols, some, divisor, lower, offsetBits, mostBits, window);
      add(window, some, order);
      store(window, from, some, sink);
    }
    Malformed.unlessWithin("bytes of bins", tans.position(), length, length);
    Malformed.unlessWithin("bits of offsets", bit, 0, (long) offsetBytes * Byte.SIZE);
    return List.of();
  }

  private void readTables(ByteBuffer source, int binCount, int log) throws ShipmentException {
    table.read(source, binCount, lower);
    table.read(source, binCount, weights);
    long left = 1L << log;
    for (int bin = 0; bin < binCount; bin++) {
      Malformed.unlessWithin("a bin's weight", weights[bin], 1, left);
      left -= weights[bin];
    }
    Malformed.unlessWithin("states without a bin", left, 0, 0);
    table.read(source, binCount, widths);
    for (int bin = 0; bin < binCount; bin++) {
      Malformed.unlessWithin("bits of an offset", widths[bin], 0, OffsetBits.MAX_BITS);
      offsetBits[bin] = (int) widths[bin];
    }
  }

  /** Makes values of differences. */
  private void add(long[] window, int number, int order) {
    for (int o = order - 1; o >= 0; o--) {
      long value = before[o];
      for (int i = 0; i < number; i++) {
        value += window[i];
        window[i] = value;
      }
      before[o] = value;
    }
  }

  private void store(long[] window, int from, int number, Values sink) {
    if (sink.kind().isWide()) {
      sink.store(from, number, window);
      return;
    }
    int[] narrow = workspace.window;
    for (int i = 0; i < number; i++) {
      narrow[i] = (int) window[i];
    }
    sink.store(from, number, narrow);
  }
}
