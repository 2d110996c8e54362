package io.drayage.columnar.integer;

import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.BytePlanes;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.ArrayValues;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Values above the minimum, or their differences, cut into planes of bytes, which Zstandard
 * compresses. For slow links, and for repeating or skewed values.
 *
 * <pre>
 *   0          1         2       4                12
 *   +----------+---------+-------+----------------+---------------------------------+
 *   | order u8 | planes  | 0     | reference i64  | planes of the numbers, lowest   |
 *   | 0 or 1   | u8 0..8 | u16   |                | first, as a Zstandard frame     |
 *   +----------+---------+-------+----------------+---------------------------------+
 * </pre>
 *
 * A number of order 0 is the value minus the reference, unsigned. A number of order 1 is the
 * zig-zag difference from the value before, and for the first value from the reference.
 */
public final class PlanesEncoding extends Encoding {
  private static final int HEADER_BYTES = 12;

  /** Maximum bytes of a segment's values, and of inner values. */
  private static final int MAX_PLAIN_BYTES = SegmentDecoder.MAX_SERIALIZED_BYTES;

  /** Maximum number of values in a sample. */
  static final int SAMPLE = 8 * MiniBlock.VALUES;

  private static final int MIN_SAMPLE = 2 * MiniBlock.VALUES;
  private static final int SAMPLE_RUN = MiniBlock.VALUES / 2;

  /** One of so many values is sampled, up to half of the maximum. */
  private static final int SAMPLED = 8;

  /** The sampling rate of longer streams: one of so many values, up to the maximum. */
  private static final int SAMPLED_OF_LONG = 32;

  /** The block size of Zstandard. */
  private static final int BLOCK_BYTES = 128 << 10;

  private final Workspace workspace;
  private final BlockCompressor zstd;
  private final BytePlanes planes = new BytePlanes();
  private final int[] steps = new int[MiniBlock.VALUES];
  private final long[] wideSteps = new long[MiniBlock.VALUES];
  private final long[] extremes = new long[2];

  /** The reference and width of the last scan. */
  private long reference;

  private int width;

  /** The value before the next difference. */
  private long before;

  /**
   * @param zstd for all depths
   */
  public PlanesEncoding(Workspace workspace, BlockCompressor zstd) {
    super(21, "PLANES");
    this.workspace = workspace;
    this.zstd = zstd;
  }

  @Override
  public double estimateNs(int count, int rawWidth) {
    return costs().estimate() * sampled(count);
  }

  /** The parameter is the order. */
  @Override
  public Estimate estimate(Analysis analysis) {
    Values values = analysis.values();
    int count = values.count();
    int number = sampled(count);
    int runs = number == count ? 1 : number / SAMPLE_RUN;
    int length = number / runs;
    long[] sample = workspace.longs(number);
    for (int run = 0; run < runs; run++) {
      int from = (int) ((count - length) * (2L * run + 1) / (2L * runs));
      load(values, from, length, sample, run * length);
    }
    Values few = new ArrayValues(Kind.LONG, sample, runs * length);
    Estimate plain = tried(few, 0, count);
    // Moves each run to begin at the end of the run before: jumps between runs do not count.
    for (int from = length; from < runs * length; from += length) {
      long gap = sample[from] - sample[from - 1];
      for (int i = from; i < from + length; i++) {
        sample[i] -= gap;
      }
    }
    Estimate differences = tried(few, 1, count);
    return plain.bytes() <= differences.bytes() ? plain : differences;
  }

  /** The size of the sample for so many values. */
  static int sampled(int count) {
    int some = Math.min(SAMPLE / 2, count / SAMPLED);
    int more = Math.min(SAMPLE, count / SAMPLED_OF_LONG);
    return Math.min(count, Math.max(MIN_SAMPLE, Math.max(some, more)));
  }

  private void load(Values values, int from, int number, long[] to, int at) {
    for (int done = 0; done < number; done += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, number - done);
      values.loadLongs(from + done, some, to, at + done, workspace.window);
    }
  }

  private Estimate tried(Values few, int order, int total) {
    int count = few.count();
    scan(few, order);
    ByteBuffer payload = split(few, order);
    // Zstandard has an entropy code for each block: planes of a block's length do not share one.
    int together = total < BLOCK_BYTES / 2 ? Math.max(1, payload.remaining()) : count;
    int bytes = 0;
    for (int from = 0; from < payload.limit(); from += together) {
      ByteBuffer part = payload.duplicate().position(from).limit(from + together);
      ByteBuffer compressed = zstd.compress(part, together);
      bytes += compressed == null ? together : compressed.remaining();
    }
    double each = (double) bytes / count;
    double planeNs = costs().item() * BytePlanes.planes(width) * total;
    return new Estimate(HEADER_BYTES + each * total, planeNs, order, 0);
  }

  @Override
  public List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    int order = (int) scheme.parameter();
    scan(values, order);
    target.put((byte) order).put((byte) BytePlanes.planes(width)).putShort((short) 0);
    target.putLong(reference);
    if (width > 0) {
      zstd.write(split(values, order), target);
    }
    return List.of();
  }

  /** Finds the reference of some values, and the bits of the largest number. */
  private void scan(Values values, int order) {
    boolean wide = values.kind().isWide();
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    long seen = 0;
    values.loadLongs(0, 1, extremes, 0, workspace.window);
    reference = extremes[0];
    before = reference;
    for (int at = 0; at < values.count(); at += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, values.count() - at);
      values.load(at, some, workspace.window(values.kind()));
      if (order == 1) {
        seen |= takeSteps(some, wide);
      } else if (wide) {
        LongKernels.extremes(workspace.wideWindow, some, extremes);
      } else {
        IntKernels.extremes(workspace.window, some, extremes);
      }
      least = Math.min(least, extremes[0]);
      most = Math.max(most, extremes[1]);
    }
    reference = order == 0 ? least : reference;
    width = Bits.width(order == 0 ? most - least : seen);
  }

  /** Takes the zig-zag differences of the values in the window, and returns the OR of them. */
  private long takeSteps(int some, boolean wide) {
    if (wide) {
      long seen = LongKernels.zigZag(workspace.wideWindow, some, before, wideSteps);
      before = workspace.wideWindow[some - 1];
      return seen;
    }
    int seen = IntKernels.zigZag(workspace.window, some, (int) before, steps);
    before = workspace.window[some - 1];
    return seen & 0xFFFFFFFFL;
  }

  /** Returns the planes of the numbers of the scanned values; valid until the next call. */
  private ByteBuffer split(Values values, int order) {
    boolean wide = values.kind().isWide();
    int planeCount = BytePlanes.planes(width);
    ByteBuffer payload = zstd.payload(values.count() * planeCount);
    before = reference;
    for (int at = 0; at < values.count(); at += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, values.count() - at);
      values.load(at, some, workspace.window(values.kind()));
      if (order == 1) {
        takeSteps(some, wide);
      } else if (wide) {
        LongKernels.subtract(workspace.wideWindow, some, reference, wideSteps);
      } else {
        IntKernels.subtract(workspace.window, some, (int) reference, steps);
      }
      if (wide) {
        planes.split(wideSteps, at, some, planeCount, payload);
      } else {
        planes.split(steps, at, some, planeCount, payload);
      }
    }
    return payload;
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessThere("the head of planes", source, HEADER_BYTES);
    int order = source.get();
    int number = source.get();
    Malformed.unlessWithin("an order", order, 0, 1);
    Malformed.unlessWithin("the planes", number, 0, BytePlanes.MAX_PLANES);
    Malformed.unlessWithin("a reserved field", source.getShort(), 0, 0);
    before = source.getLong();
    long payloadBytes = (long) number * count;
    Malformed.unlessWithin("bytes of planes", payloadBytes, 0, MAX_PLAIN_BYTES);
    ByteBuffer payload = number == 0 ? source : zstd.decompress(source, (int) payloadBytes);
    long[] window = workspace.wideWindow;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int some = Math.min(MiniBlock.VALUES, count - from);
      planes.join(payload, number, from, some, window);
      before = BytePlanes.restore(window, some, order, before);
      sink.storeLongs(from, some, window, workspace.window);
    }
    return List.of();
  }
}
