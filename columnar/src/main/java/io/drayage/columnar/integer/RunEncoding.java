package io.drayage.columnar.integer;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.bit.BitStreams;
import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Estimates;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Glimpse;
import io.drayage.columnar.stream.Hint;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Statistics;
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
 * Where runs of equal values begin, and their values:
 *
 * <pre>
 *   runs i32 | stream of bits: which values begin a run | stream of runs values
 * </pre>
 */
public final class RunEncoding extends Encoding {
  private static final double NS = 0.2;
  private static final double NS_PER_BYTE = 0.1;

  /** What a run costs besides: its place and its value. */
  private static final double NS_PER_RUN = 8;

  /** What the streams within a segment's own cost, however short they are. */
  private static final double NS_PER_STREAM = 5_000;

  /** With more runs than this share of the values, something else is always better. */
  private static final double MAX_SHARE = 0.8;

  /** Shorter runs are found faster by looking at every value. */
  private static final int MIN_WALKED_RUN = 12;

  private static final int STARTS = 0;
  private static final int VALUES = 1;

  private final boolean isOfSegments;
  private final Workspace workspace;
  private final Streams within;
  private final BitStreams bitStreams;
  private final NarrowChanges narrowChanges = new NarrowChanges();
  private final int[] changed = new int[MiniBlock.VALUES];
  private final int[] folded = new int[MiniBlock.VALUES / Integer.BYTES];
  private final long[] wideFolded = new long[MiniBlock.VALUES / Long.BYTES];

  /**
   * @param isOfSegments whether it is of segments' own streams
   */
  public RunEncoding(
      boolean isOfSegments, Workspace workspace, Streams within, BitStreams bitStreams) {
    super(9, "RLE");
    this.isOfSegments = isOfSegments;
    this.workspace = workspace;
    this.within = within;
    this.bitStreams = bitStreams;
  }

  @Override
  public int statistics() {
    return Statistics.ALL;
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return NS + rawWidth * NS_PER_BYTE;
  }

  @Override
  public double nsPerStream() {
    return isOfSegments ? NS_PER_STREAM : 0;
  }

  @Override
  public void glimpse(Glimpse glimpse) {
    double share = glimpse.changeShare();
    glimpse.add(this, share * glimpse.rawWidth(), share * NS_PER_RUN);
  }

  /** How many times the bits of a value those of a run's value are. */
  @Override
  public Hint learn(ValueSample sample, Values values) {
    return new Hint(0, 0, sample.widthOfChanges());
  }

  @Override
  public void estimate(Estimates estimates) {
    int count = estimates.count();
    int runs = estimates.statistics().runs();
    boolean known = estimates.isSampled() && estimates.statistics().has(Statistics.RUNS);
    if (!known || runs >= MAX_SHARE * count) {
      return;
    }
    double startBits = Math.min(count, runs * Estimates.distanceBits(count, runs));
    double kindBits = estimates.values().kind().bits();
    Hint hint = estimates.hint(this);
    double times = hint == null ? 1 : hint.estimate();
    double valueBits = Math.min(kindBits, 1 + times * Math.max(0, estimates.bestBits() - 1));
    double bytes = startBits / Byte.SIZE + runs * valueBits / Byte.SIZE + 60;
    estimates.add(this, bytes, NS_PER_RUN * runs);
  }

  @Override
  public @Nullable List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    int runs = find(values, facts);
    if (runs < 0) {
      return null;
    }
    target.putInt(runs);
    long[] bits = workspace.bits(Bits.words(values.count()));
    EncodingTree starts = bitStreams.write(bits, values.count(), facts.child(this, STARTS), target);
    Values begun = workspace.values(values.kind(), runs);
    return List.of(starts, within.write(begun, facts.child(this, VALUES), target));
  }

  /** Collects the runs in the workspace; how many there are, or -1 if they are not long now. */
  private int find(Values values, Facts facts) {
    boolean settled = facts.isSettledOn(this);
    if (settled && facts.hasLongRuns()) {
      int runs = values.isPlain() ? walk(values) : -1;
      return runs == 1 ? -1 : runs;
    }
    int maxRuns = settled ? values.count() : maxRuns(values);
    if (values.kind().isWide()) {
      return splitWide(values, maxRuns);
    }
    return values.rawWidth() < Integer.BYTES
        ? splitNarrow(values, maxRuns)
        : splitInts(values, maxRuns);
  }

  private int maxRuns(Values values) {
    Statistics statistics = workspace.statistics();
    return statistics.has(Statistics.RUNS) ? statistics.runs() : values.count();
  }

  /** Finds runs from end to end, which is the fastest if they are long; -1 if they are short. */
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

  private int splitNarrow(Values values, int maxRuns) {
    int count = values.count();
    int rawWidth = values.rawWidth();
    long[] bits = workspace.bits(Bits.words(count));
    int[] ints = workspace.ints(maxRuns);
    int next = 0;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      int words = narrowChanges.find(values, from, n, bits);
      for (int w = 0; w < words; w++) {
        long left = bits[(from >>> 6) + w];
        while (left != 0) {
          int at = (w << 6) + Long.numberOfTrailingZeros(left);
          ints[next++] = narrowChanges.at(at, rawWidth);
          left &= left - 1;
        }
      }
    }
    return next;
  }

  private int splitWide(Values values, int maxRuns) {
    int count = values.count();
    long[] bits = workspace.bits(Bits.words(count));
    long[] longs = workspace.longs(maxRuns);
    long[] window = workspace.wideWindow;
    int next = 0;
    long before = 0;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      values.load(from, n, window);
      long last = from == 0 ? ~window[0] : before;
      if (n == MiniBlock.VALUES) {
        LongKernels.changedBits(window, last, wideFolded, bits, from >>> 6);
      } else {
        LongKernels.changes(window, n, last, changed);
        Bits.ofFlags(changed, n, bits, from >>> 6);
      }
      before = window[n - 1];
      for (int w = 0; w < Bits.words(n); w++) {
        long left = bits[(from >>> 6) + w];
        while (left != 0) {
          longs[next++] = window[(w << 6) + Long.numberOfTrailingZeros(left)];
          left &= left - 1;
        }
      }
    }
    return next;
  }

  private int splitInts(Values values, int maxRuns) {
    int count = values.count();
    long[] bits = workspace.bits(Bits.words(count));
    int[] ints = workspace.ints(maxRuns);
    int[] window = workspace.window;
    int next = 0;
    int before = 0;
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      values.load(from, n, window);
      int last = from == 0 ? ~window[0] : before;
      if (n == MiniBlock.VALUES) {
        IntKernels.changedBits(window, last, folded, bits, from >>> 6);
      } else {
        IntKernels.changes(window, n, last, changed);
        Bits.ofFlags(changed, n, bits, from >>> 6);
      }
      before = window[n - 1];
      for (int w = 0; w < Bits.words(n); w++) {
        long left = bits[(from >>> 6) + w];
        while (left != 0) {
          ints[next++] = window[(w << 6) + Long.numberOfTrailingZeros(left)];
          left &= left - 1;
        }
      }
    }
    return next;
  }

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
    Malformed.unlessThere("a number of runs", source, Integer.BYTES);
    int runs = source.getInt();
    Malformed.unlessWithin("a number of runs", runs, 1, count);
    int words = Bits.words(count);
    long[] bits = workspace.bits(words);
    EncodingTree starts = bitStreams.read(source, count, bits);
    int begun = Bits.count(bits, words);
    if (begun != runs || (bits[0] & 1) == 0) {
      throw Malformed.because(
          format(
              "%,d runs begin, stated are %,d, and the first begins with bit %d",
              begun, runs, bits[0] & 1));
    }
    EncodingTree values = within.read(source, runs, workspace.values(sink.kind(), runs));
    RunExpansion.expand(bits, count, workspace, sink);
    return List.of(starts, values);
  }
}
