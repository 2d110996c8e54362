package io.drayage.columnar.integer;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Divisors;
import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.LongSort;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.kernel.OffsetBits;
import io.drayage.columnar.kernel.Tans;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values, or their differences, as their {@link Bins}, entropy-coded by {@link Tans}, and their
 * offsets in the bins. For uneven distributions.
 *
 * <pre>
 *   0       1       2        4            8           16            24
 *   +-------+-------+--------+------------+-----------+-------------+------------+
 *   | form  | log   | bins   | bytes of   | divisor   | least       | starts     |
 *   | u8    | u8    | u16    | offsets i32| i64       | i64         | i64 each   |
 *   +-------+-------+--------+------------+-----------+-------------+------------+
 *   | lower bounds | weights    | bits of an offset | offsets | tANS     |
 *   | table        | table      | table             |         |          |
 *   +--------------+------------+-------------------+---------+----------+
 * </pre>
 *
 * A number is {@code least + divisor * (lower bound + offset)}: a difference in that form of {@link
 * Differences}.
 */
public final class BinsEncoding extends Encoding {
  private static final int HEADER_BYTES = 24;

  /** Maximum bits of a number, so that sums do not overflow. */
  private static final int MAX_OFFSET_BITS = OffsetBits.MAX_BITS - 1;

  /** Maximum number of bytes that may be read after the end of a stream with any contents. */
  private static final int PADDING =
      Tans.PADDING + MiniBlock.VALUES * OffsetBits.MAX_BITS / Byte.SIZE + OffsetBits.PADDING;

  /** The runs of a sample. */
  private static final int MIN_RUNS = 8;

  private static final int MAX_RUNS = 16;
  private static final int VALUES_OF_RUN = 4_096;
  private static final int SAMPLE_RUN = 128;

  private final Workspace workspace;
  private final Bins bins = new Bins();
  private final BinTable table = new BinTable();
  private final Differences differences;
  private final Tans tans = new Tans();
  private final LongSort sort = new LongSort();
  private final long[] sample = new long[Bins.MAX_SAMPLE];
  private final int[] symbols = new int[MiniBlock.VALUES];
  private byte[] coded = new byte[0];

  public BinsEncoding(Workspace workspace) {
    super(23, "BINS");
    this.workspace = workspace;
    this.differences = new Differences(workspace);
  }

  @Override
  public double estimateNs(int count, int rawWidth) {
    return costs().estimate() * Math.min(count, runs(count) * SAMPLE_RUN);
  }

  /** The parameter is the form of differences. */
  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    Values values = analysis.values();
    Estimate best = tried(values, 0);
    for (int order = 1; order <= Differences.MAX_ORDER; order++) {
      Estimate estimate = tried(values, order);
      if (!isBetter(estimate, best)) {
        break;
      }
      best = estimate;
    }
    int distance = differences.distance(values);
    Estimate distant = distance == 1 ? null : tried(values, Differences.formOf(distance));
    return isBetter(distant, best) ? distant : best;
  }

  private static boolean isBetter(@Nullable Estimate estimate, @Nullable Estimate than) {
    return estimate != null && (than == null || estimate.bytes() < than.bytes());
  }

  private @Nullable Estimate tried(Values values, int form) {
    int number = takeSample(values, form);
    sort.sort(sample, number);
    if (number == 0 || !isNear(sample[0], sample[number - 1])) {
      return null;
    }
    long divisor = Math.max(1, Divisors.common(sample, number, true));
    double bits = bins.search(sample, number, values.count(), divisor);
    return new Estimate(HEADER_BYTES + bits / Byte.SIZE, 0, form, 0);
  }

  private static boolean isNear(long least, long most) {
    return (most - least) >>> MAX_OFFSET_BITS == 0;
  }

  private static int runs(int count) {
    int most = Math.max(MIN_RUNS, Math.min(MAX_RUNS, count / VALUES_OF_RUN));
    return Math.min(most, Math.max(1, count / SAMPLE_RUN));
  }

  /** Takes differences of a form from some runs of values, and returns their number. */
  private int takeSample(Values values, int form) {
    int count = values.count();
    int runs = runs(count);
    int length = Math.min(SAMPLE_RUN, count);
    int number = 0;
    differences.begin(form);
    for (int run = 0; run < runs && length > differences.starts(); run++) {
      int from = (int) ((count - length) * (2L * run + 1) / (2L * runs));
      number += differences.take(values, from, length, sample, number);
    }
    return number;
  }

  @Override
  public @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    int form = (int) scheme.parameter();
    int count = values.count();
    if (takeSample(values, form) == 0) {
      return null;
    }
    long ordinary = sample[0];
    differences.extrapolate(values, ordinary);
    int head = target.position();
    target.putLong(0).putLong(0).putLong(0);
    differences.write(target);
    long[] numbers = workspace.longs(count);
    differences.takeAll(values, numbers);
    long least = differences.least();
    if (!isNear(least, differences.most())) {
      return null;
    }
    long divisor = divisor(numbers, count);
    if (divisor > 1 && !divide(numbers, count, divisor)) {
      // Not all are multiples, and the numbers are overwritten: compute them again.
      differences.extrapolate(values, ordinary);
      differences.takeAll(values, numbers);
      divisor = 1;
    }
    if (divisor == 1) {
      LongKernels.add(numbers, count, -least);
    }
    bins.search(sample, Math.min(count, Bins.MAX_SAMPLE), count, divisor);
    bins.choose(least, (differences.most() - least) / divisor);
    int[] codes = workspace.codes(count);
    table.assign(bins, numbers, codes, count);
    int binCount = table.count();
    int log = Math.min(Tans.MAX_LOG, binCount == 1 ? 0 : Bits.width(count - 1));
    table.weigh(log);
    table.write(target);
    int bytes = writeCoded(numbers, codes, count, log, target);
    target.put(head, (byte) form).put(head + 1, (byte) log).putShort(head + 2, (short) binCount);
    target.putInt(head + 4, bytes).putLong(head + 8, divisor).putLong(head + 16, least);
    return List.of();
  }

  /** Divides the numbers' excess over the minimum; false if not all are multiples. */
  private boolean divide(long[] numbers, int count, long divisor) {
    int shift = Long.numberOfTrailingZeros(divisor);
    long inverse = Divisors.inverse(divisor >> shift);
    long least = differences.least();
    long most = (differences.most() - least) / divisor;
    return LongKernels.divide(numbers, count, least, shift, inverse, most);
  }

  /** Takes a sorted sample of all numbers, and returns its divisor. */
  private long divisor(long[] numbers, int count) {
    int number = Math.min(count, Bins.MAX_SAMPLE);
    for (int i = 0; i < number; i++) {
      sample[i] = numbers[(int) ((long) i * count / number)];
    }
    sort.sort(sample, number);
    return Math.max(1, Divisors.common(sample, number, true));
  }

  /** Writes the bins of the numbers, and their offsets; returns the bytes of the offsets. */
  private int writeCoded(long[] numbers, int[] codes, int count, int log, ByteBuffer target) {
    long bits = table.totalBits();
    long most = Math.max(bits / Byte.SIZE + 1 + OffsetBits.PADDING, Tans.maxBytes(count, log));
    if (most > Integer.MAX_VALUE - Byte.SIZE || bits / Byte.SIZE > target.remaining()) {
      throw new BufferOverflowException();
    }
    byte[] bytes = bytes((int) most);
    int offsetBytes =
        OffsetBits.write(
            numbers, codes, count, table.lower, table.offsetBits, table.mostBits(), bytes);
    target.put(bytes, 0, offsetBytes);
    int tansBytes = tans.encode(table.weights, table.count(), log, codes, count, bytes);
    target.put(bytes, 0, tansBytes);
    return offsetBytes;
  }

  private byte[] bytes(int length) {
    if (coded.length < length) {
      coded = new byte[Math.max(length, 2 * coded.length)];
    }
    return coded;
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessThere("the head of bins", source, HEADER_BYTES);
    int form = source.get();
    int log = source.get();
    int binCount = source.getShort();
    int offsetBytes = source.getInt();
    long divisor = source.getLong();
    final long first = source.getLong();
    Malformed.unlessWithin("the states of bins, as a power of 2,", log, 0, Tans.MAX_LOG);
    differences.read(form, source);
    table.read(source, binCount, log);
    table.scale(first, divisor);
    int length = source.remaining();
    Malformed.unlessWithin("bytes of offsets", offsetBytes, 0, length - Tans.HEAD_BYTES);
    byte[] bytes = bytes(length + PADDING);
    source.get(bytes, 0, length);
    if (!tans.begin(table.weights, binCount, log, bytes, offsetBytes)) {
      throw Malformed.because(format("a state of bins is not below %,d", 1 << log));
    }
    long[] window = workspace.wideWindow;
    long bit = 0;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, count - from);
      Malformed.unlessWithin("bytes of bins", tans.position(), 0, length);
      Malformed.unlessWithin("bytes of offsets", bit >>> 3, 0, offsetBytes);
      tans.decode(bytes, symbols, some);
      bit =
          OffsetBits.read(
              bytes,
              bit,
              symbols,
              some,
              divisor,
              table.lower,
              table.offsetBits,
              table.mostBits(),
              window);
      differences.add(window, some);
      sink.storeLongs(from, some, window, workspace.window);
    }
    Malformed.unlessWithin("bytes of bins", tans.position(), length, length);
    Malformed.unlessWithin("bits of offsets", bit, 0, (long) offsetBytes * Byte.SIZE);
    return List.of();
  }
}
