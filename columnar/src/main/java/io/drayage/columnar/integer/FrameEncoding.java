package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.kernel.Halves;
import io.drayage.columnar.kernel.IntKernels;
import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.kernel.SafeInts;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Ranges;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packs the excess of values, or of differences between neighbours, over a reference: FOR, PFOR,
 * DELTA and PDELTA. The encodings with a P are patched.
 *
 * <pre>
 *   +--------------+-------------------+--------+----------------+---------------+------------+------------+
 *   | packed bytes | mini-blocks of    | widths | patched: upper | patched:      | references | order 1:   |
 *   | i32          | 1,024 values ...  | u8 ... | widths u8 ...  | counts u16... | SmallTable | starts     |
 *   +--------------+-------------------+--------+----------------+---------------+------------+------------+
 * </pre>
 *
 * The starts, a {@link SmallTable}, are the first value of each mini-block, whose difference is
 * packed as 0. A mini-block consists of its packed lower bits and its {@link Patches}.
 */
public final class FrameEncoding extends Encoding {
  private static final int FIRST_ID = 3;
  private static final List<String> NAMES = List.of("FOR", "PFOR", "DELTA", "PDELTA");

  private final int order;
  private final boolean patched;
  private final Workspace workspace;
  private final MiniBlock words;
  private final Patches patches;
  private final FrameTables tables;
  private final int[] differences = new int[MiniBlock.VALUES];
  private final long[] extremes = new long[2];
  private final int[] lanes = new int[SafeInts.FOLD];
  private final long[] wideDifferences = new long[MiniBlock.VALUES];

  /**
   * @param order number of times that differences are taken: 0 or 1
   * @param patched whether values that are too far from the reference are exceptions
   */
  public FrameEncoding(int order, boolean patched, Workspace workspace) {
    super(FIRST_ID + variant(order, patched), NAMES.get(variant(order, patched)));
    this.order = order;
    this.patched = patched;
    this.workspace = workspace;
    this.words = workspace.packing();
    this.patches = new Patches();
    this.tables = new FrameTables(order, patched);
  }

  private static int variant(int order, boolean patched) {
    return 2 * order + (patched ? 1 : 0);
  }

  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    int minis = Ranges.minis(analysis.count());
    double tableBytes = 13 + 10 * (order + 1) + minis * (1 + 2.5 * order);
    if (!patched) {
      return Estimate.of(analysis.ranges().packedBytes(order) + tableBytes);
    }
    Estimate packed = analysis.sample().patching(order, analysis.values().kind().bits());
    return packed == null
        ? null
        : new Estimate(
            packed.bytes() + tableBytes + 5.0 * minis, 0, packed.parameter(), packed.width());
  }

  @Override
  public List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    int minis = Ranges.minis(values.count());
    tables.begin(minis);
    int lengthAt = target.position();
    target.putInt(0);
    for (int mini = 0; mini < minis; mini++) {
      int count = Ranges.countOf(mini, values.count());
      if (values.kind().isWide()) {
        wideMini(values, mini, count, scheme, target);
      } else {
        narrowMini(values, mini, count, scheme, target);
      }
    }
    target.putInt(lengthAt, target.position() - lengthAt - Integer.BYTES);
    tables.write(target);
    return List.of();
  }

  private void narrowMini(Values values, int mini, int count, Scheme scheme, ByteBuffer target) {
    int[] residuals = workspace.window;
    values.load(mini * MiniBlock.VALUES, count, residuals);
    tables.starts[mini] = residuals[0];
    if (order > 0) {
      int first = count > 1 ? residuals[1] - residuals[0] : 0;
      IntKernels.differences(residuals, count, first, differences);
      residuals = differences;
    }
    if (count == MiniBlock.VALUES && SafeInts.areSafe(residuals, lanes)) {
      extremes[0] = SafeInts.least(residuals, lanes);
      extremes[1] = SafeInts.most(residuals, lanes);
    } else {
      IntKernels.extremes(residuals, count, extremes);
    }
    int least = (int) extremes[0];
    int width = Bits.width(extremes[1] - least);
    residuals[0] = order > 0 ? least : residuals[0]; // the starts have it
    if (patched && scheme.width() < width) {
      IntKernels.subtract(residuals, count, (int) scheme.parameter(), words.low);
      words.low[0] = order > 0 ? 0 : words.low[0];
      patches.collect(words.low, count, scheme.width());
      if (isPatchedShorter(count, width, scheme)) {
        writePatched(mini, count, scheme, target);
        return;
      }
    }
    IntKernels.subtract(residuals, count, least, words.low);
    writeWhole(mini, count, least, width, target);
  }

  private void wideMini(Values values, int mini, int count, Scheme scheme, ByteBuffer target) {
    long[] residuals = workspace.wideWindow;
    values.load(mini * MiniBlock.VALUES, count, residuals);
    tables.starts[mini] = residuals[0];
    if (order > 0) {
      long first = count > 1 ? residuals[1] - residuals[0] : 0;
      LongKernels.differences(residuals, count, first, wideDifferences);
      residuals = wideDifferences;
    }
    LongKernels.extremes(residuals, count, extremes);
    long least = extremes[0];
    int width = Bits.width(extremes[1] - least);
    residuals[0] = order > 0 ? least : residuals[0]; // the starts have it
    if (patched && scheme.width() < width) {
      long[] rest = order > 0 ? workspace.wideWindow : wideDifferences;
      LongKernels.subtract(residuals, count, scheme.parameter(), rest);
      rest[0] = order > 0 ? 0 : rest[0];
      patches.collect(rest, count, scheme.width());
      if (isPatchedShorter(count, width, scheme)) {
        Halves.low(rest, count, 0, words.low);
        if (scheme.width() > Integer.SIZE) {
          Halves.high(rest, count, 0, words.high);
        }
        writePatched(mini, count, scheme, target);
        return;
      }
    }
    Halves.low(residuals, count, least, words.low);
    if (width > Integer.SIZE) {
      Halves.high(residuals, count, least, words.high);
    }
    writeWhole(mini, count, least, width, target);
  }

  private boolean isPatchedShorter(int count, int width, Scheme scheme) {
    return MiniBlock.bytes(count, scheme.width()) + patches.bytes() < MiniBlock.bytes(count, width);
  }

  private void writePatched(int mini, int count, Scheme scheme, ByteBuffer target) {
    tables.set(mini, scheme.parameter(), scheme.width(), patches.upperWidth(), patches.count());
    words.write(count, scheme.width(), target);
    patches.write(target);
  }

  private void writeWhole(int mini, int count, long reference, int width, ByteBuffer target) {
    tables.set(mini, reference, width, 0, 0);
    words.write(count, width, target);
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    int minis = Ranges.minis(count);
    Malformed.unlessThere("a frame", source, Integer.BYTES);
    int packedBytes = source.getInt();
    Malformed.unlessWithin(
        "a length of packed values", packedBytes, 0, (long) source.remaining() - minis);
    int packedAt = source.position();
    source.position(packedAt + packedBytes);
    tables.read(source, minis);
    Malformed.unlessExactly("the end of a frame", source, 0);
    tables.check(count, sink.kind(), packedBytes);
    source.position(packedAt);
    for (int mini = 0; mini < minis; mini++) {
      readMini(source, mini, Ranges.countOf(mini, count), sink);
    }
    source.position(source.limit());
    return List.of();
  }

  private void readMini(ByteBuffer source, int mini, int count, ValueSink sink)
      throws ShipmentException {
    int width = tables.widths[mini];
    int patchCount = tables.patchCounts[mini];
    words.read(source, count, width);
    if (patchCount > 0) {
      patches.read(source, count, patchCount, tables.upperWidths[mini]);
    }
    if (sink.kind().isWide()) {
      joinWide(mini, count, width, patchCount > 0);
      sink.store(mini * MiniBlock.VALUES, count, workspace.wideWindow);
    } else {
      joinNarrow(mini, count, width, patchCount > 0);
      sink.store(mini * MiniBlock.VALUES, count, words.low);
    }
  }

  private void joinNarrow(int mini, int count, int width, boolean hasPatches) {
    int[] low = words.low;
    int reference = (int) tables.references[mini];
    if (hasPatches) {
      patches.apply(low, width);
    }
    if (order == 0) {
      IntKernels.add(low, count, reference);
    } else {
      IntKernels.prefixSums(low, count, reference, (int) tables.starts[mini] - reference);
    }
  }

  private void joinWide(int mini, int count, int width, boolean hasPatches) {
    long reference = tables.references[mini];
    if (order == 1 && !hasPatches && width <= Integer.SIZE) {
      Halves.prefixSums(
          words.low, count, reference, tables.starts[mini] - reference, workspace.wideWindow);
      return;
    }
    if (width > Integer.SIZE) {
      Halves.widen(words.low, words.high, count, reference, workspace.wideWindow);
    } else {
      Halves.widen(words.low, count, reference, workspace.wideWindow);
    }
    if (hasPatches) {
      patches.apply(workspace.wideWindow, width);
    }
    if (order == 1) {
      LongKernels.prefixSums(workspace.wideWindow, count, 0, tables.starts[mini] - reference);
    }
  }
}
