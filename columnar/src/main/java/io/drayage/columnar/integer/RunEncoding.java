package io.drayage.columnar.integer;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.BitStreams;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Windows;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The starts of runs of equal values, and their values:
 *
 * <pre>
 *   runs i32 | stream of bits: which values begin a run | stream of runs values
 * </pre>
 */
public final class RunEncoding extends Encoding {
  /** Maximum number of runs, as a share of the values. With more, other encodings are better. */
  private static final double MAX_SHARE = 0.8;

  /** Minimum length of runs for which walking is faster than checking every value. */
  private static final int MIN_WALKED_RUN = 12;

  /** Minimum average length of runs for which the writer walks from run to run. */
  private static final int LONG_RUN = 24;

  private static final int WALK = 1;

  private final boolean isOfSegments;
  private final Workspace workspace;
  private final Streams within;
  private final BitStreams bitStreams;
  private final NarrowChanges narrowChanges = new NarrowChanges();
  private final int[] changed = new int[MiniBlock.VALUES];

  /**
   * @param isOfSegments whether it is for segments' own streams
   */
  public RunEncoding(
      boolean isOfSegments, Workspace workspace, Streams within, BitStreams bitStreams) {
    super(9, "RLE");
    this.isOfSegments = isOfSegments;
    this.workspace = workspace;
    this.within = within;
    this.bitStreams = bitStreams;
  }

  /** Inner streams have no fixed costs: the costs are part of the segment's own stream. */
  @Override
  public double streamNs() {
    return isOfSegments ? super.streamNs() : 0;
  }

  /** The parameter is {@link #WALK} if runs are long. */
  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    int count = analysis.count();
    int runs = analysis.ranges().runs();
    if (!analysis.isSampled() || runs >= MAX_SHARE * count) {
      return null;
    }
    double startBits = Math.min(count, runs * Estimate.distanceBits(count, runs));
    double kindBits = analysis.values().kind().bits();
    double moreBits = analysis.sample().widthOfChanges() * Math.max(0, analysis.bestBits() - 1);
    double valueBits = Math.min(kindBits, 1 + moreBits);
    double bytes = startBits / Byte.SIZE + runs * valueBits / Byte.SIZE + 60;
    int parameter = runs <= count / LONG_RUN ? WALK : 0;
    return new Estimate(bytes, costs().item() * runs, parameter, 0);
  }

  @Override
  public List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    int runs = find(values, scheme.parameter() == WALK && values.isPlain());
    target.putInt(runs);
    long[] bits = workspace.bits(Bits.words(values.count()));
    Scheme starts = bitStreams.write(bits, values.count(), scheme.child(0), target);
    Values begun = workspace.values(values.kind(), runs);
    return List.of(starts, within.write(begun, scheme.child(1), target));
  }

  /** Collects the runs in the workspace, and returns their number. */
  private int find(Values values, boolean walks) {
    int runs = walks ? walk(values) : -1;
    if (runs >= 0) {
      return runs;
    }
    return values.rawWidth() < Integer.BYTES ? splitNarrow(values) : split(values);
  }

  /** Walks from run to run, which is the fastest if they are long; -1 if they are short. */
  private int walk(Values values) {
    int count = values.count();
    int most = 1 + count / MIN_WALKED_RUN;
    boolean wide = values.kind().isWide();
    long[] bits = workspace.bits(Bits.words(count));
    Arrays.fill(bits, 0, Bits.words(count), 0);
    int[] ints = wide ? workspace.window : workspace.ints(most);
    long[] longs = wide ? workspace.longs(most) : workspace.wideWindow;
    int runs = 0;
    for (int at = 0; at < count; ) {
      if (runs == most) {
        return -1;
      }
      long value = values.at(at);
      bits[at >>> 6] |= 1L << at;
      if (wide) {
        longs[runs++] = value;
      } else {
        ints[runs++] = (int) value;
      }
      at++;
      if (at < count && !values.kind().isNaN(value)) {
        at = values.matchEnd(at, 1);
      }
    }
    return runs;
  }

  private int splitNarrow(Values values) {
    int count = values.count();
    int rawWidth = values.rawWidth();
    long[] bits = workspace.bits(Bits.words(count));
    int[] ints = workspace.ints(count);
    int next = 0;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      int words = narrowChanges.find(values, from, n, bits);
      for (int w = 0; w < words; w++) {
        for (long left = bits[(from >>> 6) + w]; left != 0; left &= left - 1) {
          int at = (w << 6) + Long.numberOfTrailingZeros(left);
          ints[next++] = narrowChanges.at(at, rawWidth);
        }
      }
    }
    return next;
  }

  private int split(Values values) {
    int count = values.count();
    boolean wide = values.kind().isWide();
    long[] bits = workspace.bits(Bits.words(count));
    long[] longs = workspace.longs(wide ? count : 0);
    int[] ints = workspace.ints(wide ? 0 : count);
    Object window = workspace.window(values.kind());
    int next = 0;
    long before = 0;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      int word = from >>> 6;
      values.load(from, n, window);
      if (wide) {
        LongKernels.changes(workspace.wideWindow, n, before, changed);
      } else {
        IntKernels.changes(workspace.window, n, (int) before, changed);
      }
      changed[0] = from == 0 ? 1 : changed[0];
      Bits.ofFlags(changed, n, bits, word);
      next =
          wide
              ? LongKernels.collect(workspace.wideWindow, n, bits, word, longs, next)
              : IntKernels.collect(workspace.window, n, bits, word, ints, next);
      before = Windows.at(window, n - 1);
    }
    return next;
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessThere("a number of runs", source, Integer.BYTES);
    int runs = source.getInt();
    Malformed.unlessWithin("a number of runs", runs, 1, count);
    int words = Bits.words(count);
    long[] bits = workspace.bits(words);
    Scheme starts = bitStreams.read(source, count, bits);
    int begun = Bits.count(bits, words);
    if (begun != runs || (bits[0] & 1) == 0) {
      throw Malformed.because(
          format(
              "%,d runs begin instead of the stated %,d, and the first bit is %d",
              begun, runs, bits[0] & 1));
    }
    Scheme values = within.read(source, runs, workspace.values(sink.kind(), runs));
    expand(bits, count, sink);
    return List.of(starts, values);
  }

  /** Stores the values of all runs, which are in the workspace. */
  private void expand(long[] bits, int count, ValueSink sink) {
    if (sink.kind().isWide()) {
      expandLongs(bits, count, sink);
    } else {
      expandInts(bits, count, sink);
    }
  }

  private void expandLongs(long[] bits, int count, ValueSink sink) {
    long[] values = workspace.longs(0);
    long[] window = workspace.wideWindow;
    int run = -1;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      int word = from >>> 6;
      run =
          LongKernels.areFewRuns(bits, word, n)
              ? LongKernels.fillRuns(bits, word, n, run, values, window)
              : LongKernels.expandRuns(bits, word, n, run, values, window);
      sink.store(from, n, window);
    }
  }

  private void expandInts(long[] bits, int count, ValueSink sink) {
    int[] values = workspace.ints(0);
    int[] window = workspace.window;
    int run = -1;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      int word = from >>> 6;
      run =
          IntKernels.areFewRuns(bits, word, n)
              ? IntKernels.fillRuns(bits, word, n, run, values, window)
              : IntKernels.expandRuns(bits, word, n, run, values, window);
      sink.store(from, n, window);
    }
  }
}
