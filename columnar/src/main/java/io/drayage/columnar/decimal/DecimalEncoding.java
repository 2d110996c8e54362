package io.drayage.columnar.decimal;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.kernel.FloatBits;
import io.drayage.columnar.kernel.Halves;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.ArrayValues;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.MappedValues;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.ValueSample;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Windows;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Floating-point values that are decimals, as integers and exceptions:
 *
 * <pre>
 *   pair i32 | exceptions i32 | stream of integers: longs for doubles, ints for floats
 *     | stream of ascending places, ints | stream of the bits of the exceptions, longs
 * </pre>
 *
 * The last two streams are absent if there are no exceptions. {@link DecimalForm} defines pairs.
 */
public final class DecimalEncoding extends Encoding {
  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  /** Bits of an exception's position. */
  private static final int PLACE_BITS = 8;

  private final Workspace workspace;
  private final Streams within;
  private final ValueSample integers = new ValueSample();
  private final double[] doubles = new double[MiniBlock.VALUES];
  private final float[] floats = new float[MiniBlock.VALUES];
  private final FloatBits floatBits = new FloatBits();
  private final int[] exceptionAt = new int[MiniBlock.VALUES];
  private final int[] lows = new int[MiniBlock.VALUES];
  private final long[] longs = new long[MiniBlock.VALUES];
  private int exceptions;
  private int[] places = new int[16];
  private long[] bits = new long[16];

  public DecimalEncoding(Workspace workspace, Streams within) {
    super(11, "ALP");
    this.workspace = workspace;
    this.within = within;
  }

  /** The parameter is the pair. */
  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    Values values = analysis.values();
    if (!values.kind().isFloating()) {
      return null;
    }
    long[] few = analysis.sample().few();
    boolean wide = values.kind().isWide();
    double[] decimals = new double[few.length];
    for (int i = 0; i < few.length; i++) {
      decimals[i] = wide ? Double.longBitsToDouble(few[i]) : Float.intBitsToFloat((int) few[i]);
    }
    int pair = AlpDoubles.choose(decimals, few.length, !wide);
    if (pair < 0) {
      return null;
    }
    exceptions = AlpDoubles.encode(decimals, few.length, pair, !wide, few, new int[few.length]);
    integers.take(few, few.length, wide);
    int kindBits = values.kind().bits();
    double leastBits = Math.min(integers.plainBits(0), integers.plainBits(1));
    for (int order = 0; order < 2; order++) {
      Estimate patched = integers.patching(order, kindBits);
      double bits = patched == null ? leastBits : patched.bytes() * Byte.SIZE / few.length;
      leastBits = Math.min(leastBits, bits);
    }
    double exceptionBits = (double) exceptions * (kindBits + PLACE_BITS) / few.length;
    double bytes = (leastBits + exceptionBits) * values.count() / Byte.SIZE + 60;
    double coded = analysis.sample().entropy() * values.count() / Byte.SIZE + 60;
    return analysis.coded(bytes, coded, pair);
  }

  @Override
  public @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    int pair = (int) scheme.parameter();
    if (!values.kind().isFloating() || !AlpDoubles.isValid(pair, !values.kind().isWide())) {
      return null;
    }
    int count = values.count();
    exceptions = 0;
    encode(values, pair);
    target.putInt(pair).putInt(exceptions);
    Values integersOf = workspace.values(values.kind().ofBits(), count);
    Scheme tree = within.write(integersOf, scheme.child(0), target);
    if (exceptions == 0) {
      return List.of(tree);
    }
    return List.of(
        tree,
        within.writeInts(places, exceptions, target),
        within.write(new ArrayValues(Kind.LONG, bits, exceptions), null, target));
  }

  /** Writes the integers into the workspace, and collects the exceptions. */
  private void encode(Values values, int pair) {
    int count = values.count();
    boolean wide = values.kind().isWide();
    int[] ints = workspace.ints(wide ? 0 : count);
    long[] wideInts = workspace.longs(wide ? count : 0);
    Object window = workspace.window(values.kind());
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      values.load(from, n, window);
      if (wide) {
        ofBits(workspace.wideWindow, n, doubles);
      } else {
        ofBits(workspace.window, n, doubles);
      }
      int found = AlpDoubles.encode(doubles, n, pair, !wide, longs, exceptionAt);
      if (wide) {
        System.arraycopy(longs, 0, wideInts, from, n);
      } else {
        Halves.low(longs, n, 0, lows);
        System.arraycopy(lows, 0, ints, from, n);
      }
      for (int e = 0; e < found; e++) {
        addException(from + exceptionAt[e], Windows.at(window, exceptionAt[e]));
      }
    }
  }

  private static void ofBits(long[] bits, int count, double[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = Double.longBitsToDouble(bits[i]);
    }
  }

  private static void ofBits(int[] bits, int count, double[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.intBitsToFloat(bits[i]);
    }
  }

  private void addException(int place, long valueBits) {
    if (exceptions == places.length) {
      places = Arrays.copyOf(places, 2 * exceptions);
      bits = Arrays.copyOf(bits, 2 * exceptions);
    }
    places[exceptions] = place;
    bits[exceptions++] = valueBits;
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessThere("decimals", source, HEAD_BYTES);
    int pair = source.getInt();
    exceptions = source.getInt();
    Kind kind = sink.kind();
    if (!kind.isFloating() || !AlpDoubles.isValid(pair, !kind.isWide())) {
      throw Malformed.because(format("the pair 0x%08x is none of decimals of %s", pair, kind));
    }
    Malformed.unlessWithin("a number of exceptions", exceptions, 0, count);
    List<Scheme> trees = new ArrayList<>();
    trees.add(within.read(source, count, new Decimals(pair, sink)));
    if (exceptions > 0) {
      readExceptions(source, count, trees);
      storeExceptions(sink);
    }
    return trees;
  }

  /** Receives integers and stores their decimals. */
  private final class Decimals extends MappedValues {
    private final int pair;

    Decimals(int pair, ValueSink sink) {
      super(sink.kind().ofBits(), sink);
      this.pair = pair;
    }

    @Override
    protected void map(int from, int count, Object window) {
      if (window instanceof long[] wide) {
        AlpDoubles.decode(wide, count, pair, doubles);
        sink.store(from, count, doubles);
      } else {
        AlpDoubles.decode((int[]) window, count, pair, doubles, lows, floatBits, floats);
        sink.store(from, count, floats);
      }
    }
  }

  private void readExceptions(ByteBuffer source, int count, List<Scheme> trees)
      throws ShipmentException {
    if (places.length < exceptions) {
      places = new int[exceptions];
      bits = new long[exceptions];
    }
    trees.add(within.readInts(source, exceptions, places));
    int before = -1;
    for (int e = 0; e < exceptions; e++) {
      if (places[e] <= before || places[e] >= count) {
        throw Malformed.because(
            format(
                "exception %,d of %,d has position %,d, not above %,d and below %,d",
                e, exceptions, places[e], before, count));
      }
      before = places[e];
    }
    trees.add(within.read(source, exceptions, new ArrayValues(Kind.LONG, bits, exceptions)));
  }

  /** Replaces the stored values at the positions of exceptions. */
  private void storeExceptions(ValueSink sink) {
    for (int e = 0; e < exceptions; e++) {
      workspace.wideWindow[0] = bits[e];
      workspace.window[0] = (int) bits[e];
      sink.store(places[e], 1, workspace.window(sink.kind()));
    }
  }
}
