package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.BitStreams;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values that repeat at a distance:
 *
 * <pre>
 *   0          4
 *   +----------+------------------------------------+-----------------------------+
 *   | distance | stream of bits, one for each value | stream of the first values  |
 *   | i32      | from the distance on: exceptions   | and then the exceptions     |
 *   +----------+------------------------------------+-----------------------------+
 * </pre>
 *
 * The first {@code distance} values and the exceptions are literals. Every other value equals the
 * value the distance before it.
 */
public final class RepeatEncoding extends Encoding {
  /** Minimum share of recurring values in a sample for which a distance is searched. */
  private static final double MIN_RECURRING = 0.03;

  /** One of so many values may be an exception. With more, other encodings are better. */
  private static final int VALUES_OF_EXCEPTION = 4;

  private final Workspace workspace;
  private final Streams within;
  private final BitStreams bitStreams;
  private final RepeatSearch search = new RepeatSearch();
  private int literals;

  public RepeatEncoding(Workspace workspace, Streams within, BitStreams bitStreams) {
    super(15, "REPEAT");
    this.workspace = workspace;
    this.within = within;
    this.bitStreams = bitStreams;
  }

  @Override
  public double estimateNs(int count, int rawWidth) {
    return costs().estimate() / rawWidth;
  }

  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    Values values = analysis.values();
    if (analysis.sample().recurring(values.rawWidth()) < MIN_RECURRING) {
      return null;
    }
    search.find(values);
    if (search.distance() == 0) {
      return null;
    }
    int count = analysis.count();
    double share = Math.max(search.exceptionShare(), 1.0 / count);
    double bestBits = analysis.bestBits();
    double each = Estimate.distanceBits(1, share) + bestBits;
    double bytes = (search.distance() * bestBits + share * count * each) / Byte.SIZE + 60;
    return new Estimate(bytes, costs().item() * share * count, search.distance(), 0);
  }

  @Override
  public @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    int distance = (int) scheme.parameter();
    int count = values.count();
    if (distance < 1 || distance >= count || !values.isPlain()) {
      return null;
    }
    long[] bits = workspace.bits(Bits.words(count - distance));
    if (!collect(values, distance, bits)) {
      return null;
    }
    target.putInt(distance);
    Scheme exceptions = bitStreams.write(bits, count - distance, scheme.child(0), target);
    Values literal = workspace.values(values.kind(), literals);
    return List.of(exceptions, within.write(literal, scheme.child(1), target));
  }

  private boolean collect(Values values, int distance, long[] bits) {
    int count = values.count();
    int most = distance + (count - distance) / VALUES_OF_EXCEPTION;
    workspace.values(values.kind(), most);
    Arrays.fill(bits, 0, Bits.words(count - distance), 0);
    literals = 0;
    for (int at = 0; at < distance; at++) {
      if (!add(values, at)) {
        return false;
      }
    }
    int at = distance;
    while ((at = values.matchEnd(at, distance)) < count) {
      if (literals == most || !add(values, at)) {
        return false;
      }
      bits[(at - distance) >>> 6] |= 1L << (at - distance);
      at++;
    }
    return true;
  }

  /** Adds a literal. Fails on NaNs: two NaNs count as equal, and need not be. */
  private boolean add(Values values, int at) {
    long value = values.at(at);
    if (values.kind().isNaN(value)) {
      return false;
    }
    if (values.kind().isWide()) {
      workspace.longs(0)[literals++] = value;
    } else {
      workspace.ints(0)[literals++] = (int) value;
    }
    return true;
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessThere("a distance", source, Integer.BYTES);
    int distance = source.getInt();
    Malformed.unlessWithin("a distance", distance, 1, count - 1L);
    int words = Bits.words(count - distance);
    long[] bits = workspace.bits(words);
    Scheme exceptions = bitStreams.read(source, count - distance, bits);
    int number = distance + Bits.count(bits, words);
    Scheme values = within.read(source, number, workspace.values(sink.kind(), number));
    place(0, distance, 0, sink);
    repeat(bits, count, distance, sink);
    return List.of(exceptions, values);
  }

  private void repeat(long[] bits, int count, int distance, ValueSink sink) {
    int at = distance;
    int literal = distance;
    for (int w = 0; w < Bits.words(count - distance); w++) {
      for (long left = bits[w]; left != 0; left &= left - 1) {
        int exception = distance + (w << 6) + Long.numberOfTrailingZeros(left);
        sink.repeat(at, distance, exception - at);
        place(exception, 1, literal++, sink);
        at = exception + 1;
      }
    }
    sink.repeat(at, distance, count - at);
  }

  private void place(int at, int number, int literal, ValueSink sink) {
    Object values = sink.kind().isWide() ? workspace.longs(0) : workspace.ints(0);
    sink.store(at, number, values, literal);
  }
}
