package io.drayage.columnar.integer;

import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.BytePlanes;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.ArrayValues;
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
import io.drayage.columnar.stream.Zstandard;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values above the least one, or their differences, cut into planes of bytes which Zstandard
 * compresses: for slow links, and what repeats or is skewed.
 *
 * <pre>
 *   0          1         2       4                12
 *   +----------+---------+-------+----------------+---------------------------------+
 *   | order u8 | planes  | 0     | reference i64  | planes of the numbers, lowest   |
 *   | 0 or 1   | u8 0..8 | u16   |                | first, as a Zstandard frame     |
 *   +----------+---------+-------+----------------+---------------------------------+
 * </pre>
 *
 * A number of order 0 is the value less the reference, unsigned. One of order 1 is the zig-zag
 * difference from the value before, and from the reference for the first.
 */
public final class PlanesEncoding extends Encoding {
  private static final int HEADER_BYTES = 12;

  /** No segment's values have more, and none within. */
  private static final int MAX_PLAIN_BYTES = SegmentDecoder.MAX_SERIALIZED_BYTES;

  /** What Zstandard takes for a byte of a plane, both ways, however well it compresses. */
  private static final double NS_PER_PLAIN_BYTE = 1;

  /** What it takes besides for a byte that is left. */
  private static final double NS_PER_COMPRESSED_BYTE = 4;

  /**
   * Values that tell what Zstandard makes of a stream: in few runs, as some repeat at a distance.
   */
  static final int SAMPLE = 4 * MiniBlock.VALUES;

  private static final int MIN_SAMPLE = 2 * MiniBlock.VALUES;
  private static final int SAMPLE_RUNS = 2;

  /** One of so many values is looked at, within those limits. */
  private static final int SAMPLED = 8;

  private static final double LEARN_NS_PER_VALUE = 12;

  private final Workspace workspace;
  private final Zstandard zstd;
  private final boolean isSought;
  private final BytePlanes planes = new BytePlanes();

  /** Of the values that were looked at last. */
  private long reference;

  private int width;

  /**
   * @param isSought whether it may be worth its time
   * @param zstd for all depths
   */
  public PlanesEncoding(boolean isSought, Workspace workspace, Zstandard zstd) {
    super(21, "PLANES");
    this.workspace = workspace;
    this.zstd = zstd;
    this.isSought = isSought;
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return widened(kind, rawWidth, 2, 3);
  }

  @Override
  public double nsPerWrittenByte() {
    return NS_PER_COMPRESSED_BYTE;
  }

  @Override
  public void glimpse(Glimpse glimpse) {
    if (isSought) {
      glimpse.addUnseen(this);
    }
  }

  @Override
  public double learnNs(int count, int rawWidth) {
    return LEARN_NS_PER_VALUE * sampled(count);
  }

  /** The order, the planes, and the bits of a value. */
  @Override
  public @Nullable Hint learn(ValueSample sample, Values values) {
    if (!isSought) {
      return null;
    }
    Values few = sample(values);
    Hint plain = tried(few, 0);
    Hint differences = tried(few, 1);
    return plain.estimate() <= differences.estimate() ? plain : differences;
  }

  /** How many of so many values are looked at. */
  static int sampled(int count) {
    return Math.min(count, Math.max(MIN_SAMPLE, Math.min(SAMPLE, count / SAMPLED)));
  }

  private Values sample(Values values) {
    int count = values.count();
    int number = sampled(count);
    int runs = number == count ? 1 : SAMPLE_RUNS;
    int length = number / runs;
    long[] few = workspace.longs(number);
    for (int run = 0; run < runs; run++) {
      int from = (int) ((long) (count - length) * (run + 1) / (runs + 1));
      for (int at = 0; at < length; at += MiniBlock.VALUES) {
        int some = Math.min(MiniBlock.VALUES, length - at);
        values.loadLongs(from + at, some, few, run * length + at, workspace.window);
      }
    }
    return new ArrayValues(Kind.LONG, few, runs * length);
  }

  private Hint tried(Values few, int order) {
    int count = few.count();
    scan(few, order);
    ByteBuffer payload = split(few, order);
    ByteBuffer compressed = zstd.compress(payload, payload.remaining());
    int bytes = compressed == null ? payload.remaining() : compressed.remaining();
    return new Hint(order, BytePlanes.planes(width), (double) bytes * Byte.SIZE / count);
  }

  @Override
  public void estimate(Estimates estimates) {
    Hint hint = estimates.hint(this);
    if (hint != null) {
      int count = estimates.count();
      double bytes = hint.estimate() * count / Byte.SIZE;
      estimates.add(this, HEADER_BYTES + bytes, NS_PER_PLAIN_BYTE * hint.width() * count);
    }
  }

  @Override
  public List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    Hint hint = facts.hint(this);
    int order = hint == null ? 0 : (int) hint.parameter();
    scan(values, order);
    if (target.remaining() < HEADER_BYTES) {
      throw new BufferOverflowException();
    }
    target.put((byte) order).put((byte) BytePlanes.planes(width)).putShort((short) 0);
    target.putLong(reference);
    if (width > 0) {
      ByteBuffer compressed = zstd.compress(split(values, order), target.remaining());
      if (compressed == null) {
        throw new BufferOverflowException();
      }
      target.put(compressed);
    }
    return List.of();
  }

  /** Finds the reference of some values, and the bits of the largest number. */
  private void scan(Values values, int order) {
    long[] window = workspace.wideWindow;
    int number = values.count();
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    long seen = 0;
    for (int at = 0; at < number; at += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, number - at);
      values.loadLongs(at, some, window, 0, workspace.window);
      if (order == 0) {
        for (int i = 0; i < some; i++) {
          least = Math.min(least, window[i]);
          most = Math.max(most, window[i]);
        }
      } else {
        reference = at == 0 ? window[0] : reference;
        most = zigZag(window, some, at == 0 ? window[0] : most, values.kind().isWide());
        for (int i = 0; i < some; i++) {
          seen |= window[i];
        }
      }
    }
    reference = order == 0 ? least : reference;
    width = Bits.width(order == 0 ? most - least : seen);
  }

  /** The planes of the numbers of values that were scanned; until the next call. */
  private ByteBuffer split(Values values, int order) {
    long[] window = workspace.wideWindow;
    int number = values.count();
    int planeCount = BytePlanes.planes(width);
    ByteBuffer payload = zstd.payload(number * planeCount);
    long before = reference;
    for (int at = 0; at < number; at += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, number - at);
      values.loadLongs(at, some, window, 0, workspace.window);
      if (order == 0) {
        for (int i = 0; i < some; i++) {
          window[i] -= reference;
        }
      } else {
        before = zigZag(window, some, before, values.kind().isWide());
      }
      planes.split(window, at, some, planeCount, payload);
    }
    return payload;
  }

  /** Replaces values by their zig-zag differences; the last value. */
  private static long zigZag(long[] window, int number, long first, boolean wide) {
    long before = first;
    for (int i = 0; i < number; i++) {
      long value = window[i];
      long difference = wide ? value - before : (int) (value - before);
      window[i] = (difference << 1) ^ (difference >> (Long.SIZE - 1));
      before = value;
    }
    return before;
  }

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
    Malformed.unlessThere("the head of planes", source, HEADER_BYTES);
    int order = source.get();
    int number = source.get();
    Malformed.unlessWithin("an order", order, 0, 1);
    Malformed.unlessWithin("the planes", number, 0, BytePlanes.MAX_PLANES);
    Malformed.unlessWithin("a reserved field", source.getShort(), 0, 0);
    long before = source.getLong();
    long payloadBytes = (long) number * count;
    Malformed.unlessWithin("bytes of planes", payloadBytes, 0, MAX_PLAIN_BYTES);
    ByteBuffer payload = number == 0 ? source : zstd.decompress(source, (int) payloadBytes);
    long[] window = workspace.wideWindow;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, count - from);
      planes.join(payload, number, from, some, window);
      before = restore(window, some, order, before);
      store(window, from, some, sink);
    }
    return List.of();
  }

  /** Makes values of numbers; what the next ones build on. */
  private static long restore(long[] window, int number, int order, long before) {
    if (order == 0) {
      for (int i = 0; i < number; i++) {
        window[i] += before;
      }
      return before;
    }
    long value = before;
    for (int i = 0; i < number; i++) {
      value += (window[i] >>> 1) ^ -(window[i] & 1);
      window[i] = value;
    }
    return value;
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
