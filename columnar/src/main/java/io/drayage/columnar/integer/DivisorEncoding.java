package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Divisors;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.MappedValues;
import io.drayage.columnar.stream.Ranges;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values whose differences have a divisor, such as seconds counted in nanoseconds:
 *
 * <pre>
 *   divisor i64 | reference i64 | stream of (value - reference) / divisor
 * </pre>
 *
 * <p>The reference is the first value. Division is exact, so it is a shift and a multiplication by
 * the inverse of the divisor's odd part (Granlund and Montgomery, PLDI 1994, section 9).
 */
public final class DivisorEncoding extends Encoding {
  private static final int PAYLOAD_BYTES = 2 * Long.BYTES;
  private static final int TABLE_BYTES = 40;

  private final Workspace workspace;
  private final Streams within;

  public DivisorEncoding(Workspace workspace, Streams within) {
    super(64, "GCD");
    this.workspace = workspace;
    this.within = within;
  }

  @Override
  public double leastBytes(Analysis analysis) {
    return analysis.sample().divisor() > 1 ? 0 : Double.POSITIVE_INFINITY;
  }

  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    long divisor = analysis.sample().divisor();
    if (divisor == 1) {
      return null;
    }
    int minis = Ranges.minis(analysis.count());
    double values = analysis.ranges().packedBytes(0, divisor) + minis;
    double differences = analysis.ranges().packedBytes(1, divisor) + 3.5 * minis;
    double coded = analysis.sample().entropy() / Byte.SIZE * analysis.count();
    int headBytes = PAYLOAD_BYTES + TABLE_BYTES;
    return analysis.coded(headBytes + Math.min(values, differences), headBytes + coded, divisor);
  }

  @Override
  public @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    long divisor = scheme.parameter();
    if (divisor < 2) {
      return null;
    }
    int count = values.count();
    values.loadLongs(0, 1, workspace.wideWindow, 0, workspace.window);
    long reference = workspace.wideWindow[0];
    if (!divide(values, divisor, reference)) {
      return null;
    }
    target.putLong(divisor).putLong(reference);
    Values quotients = workspace.values(values.kind().ofBits(), count);
    return List.of(within.write(quotients, scheme.child(0), target));
  }

  /** Returns false if not all differences are multiples, or if one is too far away. */
  private boolean divide(Values values, long divisor, long reference) {
    int count = values.count();
    boolean wide = values.kind().isWide();
    int shift = Long.numberOfTrailingZeros(divisor);
    long inverse = Divisors.inverse(divisor >> shift);
    Object window = workspace.window(values.kind());
    Object to = wide ? workspace.longs(count) : workspace.ints(count);
    boolean divided = true;
    for (int from = 0; from < count && divided; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      values.load(from, n, window);
      if (wide) {
        long most = Long.MAX_VALUE / divisor;
        divided = LongKernels.divide(workspace.wideWindow, n, reference, shift, inverse, most);
      } else {
        int most = (int) (Integer.MAX_VALUE / divisor);
        divided =
            IntKernels.divide(workspace.window, n, (int) reference, shift, (int) inverse, most);
      }
      System.arraycopy(window, 0, to, from, n);
    }
    return divided;
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessThere("a divisor and a reference", source, PAYLOAD_BYTES);
    long divisor = source.getLong();
    boolean wide = sink.kind().isWide();
    Malformed.unlessWithin("a divisor", divisor, 2, wide ? Long.MAX_VALUE : Integer.MAX_VALUE);
    long reference = source.getLong();
    return List.of(within.read(source, count, new Multiples(divisor, reference, sink)));
  }

  /** Receives quotients and stores their values. */
  private final class Multiples extends MappedValues {
    private final long divisor;
    private final long reference;

    Multiples(long divisor, long reference, ValueSink sink) {
      super(sink.kind().ofBits(), sink);
      this.divisor = divisor;
      this.reference = reference;
    }

    @Override
    protected void map(int from, int count, Object window) {
      if (window instanceof long[] wide) {
        LongKernels.multiply(wide, count, divisor, reference, workspace.wideWindow);
      } else {
        int[] narrow = (int[]) window;
        IntKernels.multiply(narrow, count, (int) divisor, (int) reference, workspace.window);
      }
      sink.store(from, count, workspace.window(kind()));
    }
  }
}
