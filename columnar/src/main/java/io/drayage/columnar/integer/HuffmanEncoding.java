package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.IntKernels;
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
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Bytes or shorts, or their differences, cut into planes of bytes, each in a Huffman code of its
 * own: for what is unevenly distributed, in less than half the time of {@link BinsEncoding}. The
 * payload is the order, u8, 0 or 1, and blocks ({@link PlaneBlock}) of 32,768 values, the last one
 * of what remains. Wider values have planes that repeat, or few bits in bins: both are read faster.
 */
public final class HuffmanEncoding extends Encoding {
  /** What it costs to cut values into planes and to join them, both ways. */
  private static final double NS_PER_VALUE = 3;

  private static final double NS_PER_BYTE = 0.5;

  /** What it costs besides for the byte of a plane that has a code. */
  private static final double NS_PER_CODED = 2.4;

  /** What it costs besides for the byte of another plane. */
  private static final double NS_PER_PLAIN = 0.7;

  /** What the codes cost besides, to make and to read. */
  private static final double NS_PER_STREAM = 8_000;

  private static final double LEARN_NS_PER_VALUE = 8;

  /** If differences have less than this of the bits of values, these are not looked at. */
  private static final double MUCH_SMALLER = 0.75;

  /** Values that tell what becomes of a stream, together. */
  private static final int SAMPLE_RUN = 256;

  /** About what the heads of a stream take. */
  private static final int HEAD_BYTES = 24;

  private final boolean isSought;
  private final PlaneBlock block;
  private final double[] planeBits = new double[PlaneBlock.MAX_PLANES];
  private final int[] plain = new int[PlanesEncoding.SAMPLE];
  private final int[] steps = new int[PlanesEncoding.SAMPLE];
  private int sampleCount;
  private long plainBits;
  private long stepBits;
  private byte[] copied = new byte[0];

  /**
   * @param isSought whether it may be worth its time
   */
  public HuffmanEncoding(boolean isSought, Workspace workspace) {
    super(31, "HUFFMAN");
    this.isSought = isSought;
    this.block = new PlaneBlock(workspace);
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return rawWidth == 1 ? NS_PER_BYTE : NS_PER_VALUE;
  }

  @Override
  public double nsPerStream() {
    return NS_PER_STREAM;
  }

  @Override
  public void glimpse(Glimpse glimpse) {
    if (isSought && glimpse.rawWidth() <= Short.BYTES) {
      glimpse.addUnseen(this);
    }
  }

  @Override
  public double learnNs(int count, int rawWidth) {
    return LEARN_NS_PER_VALUE * PlanesEncoding.sampled(count);
  }

  /** The order, the planes that have a code and the others, and the bits of a value. */
  @Override
  public @Nullable Hint learn(ValueSample sample, Values values) {
    if (!isSought || values.rawWidth() > Short.BYTES) {
      return null;
    }
    takeSample(values);
    // Steps that are as large as values are no better, and much smaller ones always are.
    if (stepBits >= plainBits) {
      return measured(values, 0);
    }
    if (stepBits < MUCH_SMALLER * plainBits) {
      return measured(values, 1);
    }
    Hint plain = measured(values, 0);
    Hint steps = measured(values, 1);
    return plain.estimate() <= steps.estimate() ? plain : steps;
  }

  /** Takes runs of values, and of their differences; and how many bits these have. */
  private void takeSample(Values values) {
    int count = values.count();
    int runs = Math.max(1, PlanesEncoding.sampled(count) / SAMPLE_RUN);
    int length = Math.min(count, SAMPLE_RUN);
    sampleCount = 0;
    for (int run = 0; run < runs; run++) {
      int from = (int) ((count - length) * (2L * run + 1) / (2L * runs));
      values.load(from, length, plain, sampleCount);
      steps[sampleCount] = length > 1 ? plain[sampleCount + 1] - plain[sampleCount] : 0;
      for (int i = sampleCount + 1; i < sampleCount + length; i++) {
        steps[i] = plain[i] - plain[i - 1];
      }
      sampleCount += length;
    }
    int least = IntKernels.min(plain, sampleCount);
    plainBits = 0;
    stepBits = 0;
    for (int i = 0; i < sampleCount; i++) {
      plainBits += Bits.width(plain[i] - least);
      stepBits += Bits.width(steps[i] ^ (steps[i] >> (Integer.SIZE - 1))) + 1;
    }
  }

  private Hint measured(Values values, int order) {
    boolean isByte = values.rawWidth() == 1;
    int blockCount = Math.min(PlaneBlock.MAX_COUNT, values.count());
    int[] numbers = order == 0 ? plain : steps;
    int planes = block.measure(numbers, sampleCount, order, isByte, blockCount, planeBits);
    double bits = 0;
    int codes = 0;
    for (int p = 0; p < planes; p++) {
      bits += planeBits[p];
      codes += planeBits[p] >= 1 && planeBits[p] < Byte.SIZE ? 1 : 0;
    }
    return new Hint(order | (planes - codes) << 1, codes, bits);
  }

  @Override
  public void estimate(Estimates estimates) {
    Hint hint = estimates.hint(this);
    if (hint != null) {
      int count = estimates.count();
      double bytes = HEAD_BYTES + hint.estimate() * count / Byte.SIZE;
      double planesNs = NS_PER_CODED * hint.width() + NS_PER_PLAIN * (hint.parameter() >> 1);
      estimates.add(this, bytes, planesNs * count);
    }
  }

  @Override
  public @Nullable List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    if (values.rawWidth() > Short.BYTES) {
      return null;
    }
    Hint hint = facts.hint(this);
    int order = hint == null ? 0 : (int) hint.parameter() & 1;
    if (!target.hasRemaining()) {
      throw new BufferOverflowException();
    }
    target.put((byte) order);
    int count = values.count();
    for (int from = 0; from < count; from += PlaneBlock.MAX_COUNT) {
      block.write(values, from, Math.min(PlaneBlock.MAX_COUNT, count - from), order, target);
    }
    return List.of();
  }

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
    int rawWidth = sink.rawWidth();
    if (rawWidth > Short.BYTES) {
      throw Malformed.because(
          String.format(Locale.ROOT, "coded planes of %,d values of %,d bytes", count, rawWidth));
    }
    Malformed.unlessThere("the order of planes", source, 1);
    int order = source.get();
    Malformed.unlessWithin("an order", order, 0, 1);
    int length = source.remaining();
    if (copied.length < length + HuffmanBytes.PADDING) {
      copied = new byte[Math.max(2 * copied.length, length + HuffmanBytes.PADDING)];
    }
    source.get(copied, 0, length);
    ByteBuffer heads = ByteBuffer.wrap(copied).order(source.order()).limit(length);
    for (int from = 0; from < count; from += PlaneBlock.MAX_COUNT) {
      int number = Math.min(PlaneBlock.MAX_COUNT, count - from);
      block.read(copied, heads, from, number, order, sink);
    }
    Malformed.unlessExactly("the end of planes", heads, 0);
    return List.of();
  }
}
