package io.drayage.columnar.integer;

import io.drayage.columnar.bit.BitStreams;
import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Estimates;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Hint;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.ValueSample;
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
 * The first {@code distance} values and the exceptions are literals; every other value is the one
 * that stands the distance before it.
 */
public final class RepeatEncoding extends Encoding {
  private static final double NS_PER_BYTE = 0.1;

  /** Over the bytes of a value: the narrower values are, the more come back by chance. */
  private static final double LEARN_NS = 250_000;

  /** Less in a sample, and no distance is looked for. */
  private static final double MIN_RECURRING = 0.03;

  /** What an exception costs besides. */
  private static final double NS_PER_EXCEPTION = 30;

  /** With more exceptions, there is always something better. */
  private static final int VALUES_OF_EXCEPTION = 4;

  private static final int EXCEPTIONS = 0;
  private static final int LITERALS = 1;

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
  public double nsPerValue(Kind kind, int rawWidth) {
    return rawWidth * NS_PER_BYTE;
  }

  @Override
  public boolean learnsEquality() {
    return true;
  }

  @Override
  public double learnNs(int count, int rawWidth) {
    return LEARN_NS / rawWidth;
  }

  /** The distance, and the share of exceptions. */
  @Override
  public @Nullable Hint learn(ValueSample sample, Values values) {
    if (sample.recurring(values.rawWidth()) < MIN_RECURRING) {
      return null;
    }
    search.find(values);
    return search.distance() == 0 ? null : new Hint(search.distance(), 0, search.exceptionShare());
  }

  @Override
  public void estimate(Estimates estimates) {
    Hint repeat = estimates.hint(this);
    if (repeat == null || !estimates.values().isPlain()) {
      return;
    }
    int count = estimates.count();
    double share = Math.max(repeat.estimate(), 1.0 / count);
    double bestBits = estimates.bestBits();
    double each = Estimates.distanceBits(1, share) + bestBits;
    double bytes = (repeat.parameter() * bestBits + share * count * each) / Byte.SIZE + 60;
    estimates.add(this, bytes, NS_PER_EXCEPTION * share * count);
  }

  @Override
  public @Nullable List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    Hint repeat = facts.hint(this);
    int distance = repeat == null ? 0 : (int) repeat.parameter();
    int count = values.count();
    if (distance < 1 || distance >= count || !values.isPlain()) {
      return null;
    }
    long[] bits = workspace.bits(Bits.words(count - distance));
    if (!collect(values, distance, bits)) {
      return null;
    }
    target.putInt(distance);
    EncodingTree exceptions =
        bitStreams.write(bits, count - distance, facts.child(this, EXCEPTIONS), target);
    Values literal = workspace.values(values.kind(), literals);
    return List.of(exceptions, within.write(literal, facts.child(this, LITERALS), target));
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

  /** Fails on NaNs: two of them are taken to be equal, and need not be. */
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
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
    Malformed.unlessThere("a distance", source, Integer.BYTES);
    int distance = source.getInt();
    Malformed.unlessWithin("a distance", distance, 1, count - 1L);
    int words = Bits.words(count - distance);
    long[] bits = workspace.bits(words);
    EncodingTree exceptions = bitStreams.read(source, count - distance, bits);
    int number = distance + Bits.count(bits, words);
    EncodingTree values = within.read(source, number, workspace.values(sink.kind(), number));
    place(0, distance, 0, sink);
    repeat(bits, count, distance, sink);
    return List.of(exceptions, values);
  }

  private void repeat(long[] bits, int count, int distance, Values sink) {
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

  private void place(int at, int number, int literal, Values sink) {
    Object values = sink.kind().isWide() ? workspace.longs(0) : workspace.ints(0);
    sink.store(at, number, values, literal);
  }
}
