package io.drayage.columnar.integer;

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
import io.drayage.columnar.stream.ValueSample;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packs what values, or differences between neighbours, exceed a reference by: FOR, PFOR, DELTA and
 * PDELTA, those with a P being patched.
 *
 * <pre>
 *   +--------------+-------------------+--------+----------------+---------------+------------+------------+
 *   | packed bytes | mini-blocks of    | widths | patched: upper | patched:      | references | order 1:   |
 *   | i32          | 1,024 values ...  | u8 ... | widths u8 ...  | counts u16... | SmallTable | starts     |
 *   +--------------+-------------------+--------+----------------+---------------+------------+------------+
 * </pre>
 *
 * The starts, a {@link SmallTable}, are the first value of each mini-block, whose difference is
 * packed as 0. A mini-block is its packed lower bits and its {@link Patches}.
 */
public final class FrameEncoding extends Encoding {
  private static final int FIRST_ID = 3;
  private static final List<String> NAMES = List.of("FOR", "PFOR", "DELTA", "PDELTA");
  private static final double[] INT_NS = {0.5, 1.2, 1.3, 2.2};
  private static final double[] LONG_NS = {1.4, 2.5, 2.4, 3.4};
  private static final double LEARN_NS = 8_000;

  private final int variant;
  private final int order;
  private final boolean patched;
  private final Workspace workspace;
  private final MiniBlock words;
  private final Patches patches;
  private final FrameTables tables;
  private final int[] differences = new int[MiniBlock.VALUES];
  private final long[] wideDifferences = new long[MiniBlock.VALUES];

  /**
   * @param order how often differences are taken: 0 or 1
   * @param patched whether values that are too far from the reference are exceptions
   */
  public FrameEncoding(int order, boolean patched, Workspace workspace) {
    this(2 * order + (patched ? 1 : 0), workspace);
  }

  private FrameEncoding(int variant, Workspace workspace) {
    super(FIRST_ID + variant, NAMES.get(variant));
    this.variant = variant;
    this.order = variant >> 1;
    this.patched = (variant & 1) != 0;
    this.workspace = workspace;
    this.words = workspace.packing();
    this.patches = new Patches();
    this.tables = new FrameTables(order, patched);
  }

  @Override
  public int statistics() {
    return order == 0 ? Statistics.VALUES : Statistics.DIFFERENCES;
  }

  @Override
  public boolean isWrittenUnscanned() {
    return false;
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return widened(kind, rawWidth, INT_NS[variant], LONG_NS[variant]);
  }

  @Override
  public void glimpse(Glimpse glimpse) {
    if (patched) {
      glimpse.addUnseen(this);
    } else {
      glimpse.add(this, order == 0 ? glimpse.rangeBytes() : glimpse.differenceBytes(), 0);
    }
  }

  @Override
  public double learnNs(int count, int rawWidth) {
    return patched ? LEARN_NS : 0;
  }

  @Override
  public @Nullable Hint learn(ValueSample sample, Values values) {
    return patched ? sample.patching(order, values.kind().bits()) : null;
  }

  @Override
  public void estimate(Estimates estimates) {
    Statistics statistics = estimates.statistics();
    if (!statistics.has(statistics())) {
      return;
    }
    int minis = Statistics.minis(estimates.count());
    double tableBytes = 13 + 10 * (order + 1) + minis * (1 + 2.5 * order);
    if (!patched) {
      estimates.add(this, statistics.packedBytes(order) + tableBytes);
      return;
    }
    Hint patching = estimates.hint(this);
    if (patching != null) {
      double packed = patching.estimate() / Byte.SIZE * estimates.count();
      estimates.add(this, packed + (tableBytes + 5.0 * minis));
    }
  }

  @Override
  public @Nullable List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    Hint patching = facts.hint(this);
    if (patched && patching == null) {
      return null;
    }
    Statistics statistics = workspace.statistics();
    boolean scanned = statistics.has(statistics());
    if (!scanned) {
      statistics.begin(values, statistics());
    }
    int minis = statistics.minis();
    tables.begin(minis);
    int lengthAt = target.position();
    target.putInt(0);
    for (int mini = 0; mini < minis; mini++) {
      if (!scanned) {
        statistics.scanMini(values, mini);
      }
      long reference = statistics.reference(mini, order);
      int width = statistics.width(mini, order);
      int count = Statistics.countOf(mini, values.count());
      if (values.kind().isWide()) {
        wideMini(values, mini, count, reference, width, patching, target);
      } else {
        narrowMini(values, mini, count, reference, width, patching, target);
      }
    }
    target.putInt(lengthAt, target.position() - lengthAt - Integer.BYTES);
    tables.write(statistics.starts(), target);
    return List.of();
  }

  private void narrowMini(
      Values values,
      int mini,
      int count,
      long reference,
      int width,
      @Nullable Hint patching,
      ByteBuffer target) {
    values.load(mini * MiniBlock.VALUES, count, workspace.window);
    int[] residuals = workspace.window;
    if (order > 0) {
      IntKernels.differences(workspace.window, count, (int) reference, differences);
      residuals = differences;
    }
    if (patching != null && patching.width() < width) {
      IntKernels.subtract(residuals, count, (int) patching.parameter(), words.low);
      for (int i = 0; i < Math.min(order, count); i++) {
        words.low[i] = 0; // the starts say it
      }
      patches.collect(words.low, count, patching.width());
      if (isPatchedShorter(count, width, patching)) {
        writePatched(mini, count, patching, target);
        return;
      }
    }
    IntKernels.subtract(residuals, count, (int) reference, words.low);
    writeWhole(mini, count, reference, width, target);
  }

  private void wideMini(
      Values values,
      int mini,
      int count,
      long reference,
      int width,
      @Nullable Hint patching,
      ByteBuffer target) {
    values.load(mini * MiniBlock.VALUES, count, workspace.wideWindow);
    long[] residuals = workspace.wideWindow;
    if (order > 0) {
      LongKernels.differences(workspace.wideWindow, count, reference, wideDifferences);
      residuals = wideDifferences;
    }
    if (patching != null && patching.width() < width) {
      long[] rest = residuals == workspace.wideWindow ? wideDifferences : workspace.wideWindow;
      LongKernels.subtract(residuals, count, patching.parameter(), rest);
      for (int i = 0; i < Math.min(order, count); i++) {
        rest[i] = 0; // the starts say it
      }
      patches.collect(rest, count, patching.width());
      if (isPatchedShorter(count, width, patching)) {
        LongKernels.lowHalves(rest, count, 0, words.low);
        if (patching.width() > Integer.SIZE) {
          LongKernels.highHalves(rest, count, 0, words.high);
        }
        writePatched(mini, count, patching, target);
        return;
      }
    }
    LongKernels.lowHalves(residuals, count, reference, words.low);
    if (width > Integer.SIZE) {
      LongKernels.highHalves(residuals, count, reference, words.high);
    }
    writeWhole(mini, count, reference, width, target);
  }

  private boolean isPatchedShorter(int count, int width, Hint patching) {
    return MiniBlock.bytes(count, patching.width()) + patches.bytes()
        < MiniBlock.bytes(count, width);
  }

  private void writePatched(int mini, int count, Hint patching, ByteBuffer target) {
    int upperWidth = patches.upperWidth();
    tables.set(mini, patching.parameter(), patching.width(), upperWidth, patches.count());
    words.write(count, patching.width(), target);
    patches.write(target);
  }

  private void writeWhole(int mini, int count, long reference, int width, ByteBuffer target) {
    tables.set(mini, reference, width, 0, 0);
    words.write(count, width, target);
  }

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
    int minis = Statistics.minis(count);
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
      readMini(source, mini, Statistics.countOf(mini, count), sink);
    }
    source.position(source.limit());
    return List.of();
  }

  private void readMini(ByteBuffer source, int mini, int count, Values sink)
      throws ShipmentException {
    int width = tables.width(mini);
    int patchCount = tables.patchCount(mini);
    words.read(source, count, width);
    if (patchCount > 0) {
      patches.read(source, count, patchCount, tables.upperWidth(mini));
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
    int reference = (int) tables.reference(mini);
    if (hasPatches) {
      patches.apply(low, width);
    }
    if (order == 0) {
      IntKernels.add(low, count, reference);
    } else {
      IntKernels.prefixSums(low, count, reference, (int) tables.first(mini) - reference);
    }
  }

  private void joinWide(int mini, int count, int width, boolean hasPatches) {
    long reference = tables.reference(mini);
    if (order == 1 && !hasPatches && width <= Integer.SIZE) {
      LongKernels.prefixSums(
          words.low, count, reference, tables.first(mini) - reference, workspace.wideWindow);
      return;
    }
    if (width > Integer.SIZE) {
      LongKernels.widen(words.low, words.high, count, reference, workspace.wideWindow);
    } else {
      LongKernels.widen(words.low, count, reference, workspace.wideWindow);
    }
    if (hasPatches) {
      patches.apply(workspace.wideWindow, width);
    }
    if (order == 1) {
      LongKernels.prefixSums(workspace.wideWindow, count, tables.first(mini) - reference);
    }
  }
}
