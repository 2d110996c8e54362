package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.LongKernels;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Windows;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream whose values are all equal: that value, as an {@code i64}. */
public final class ConstantEncoding extends Encoding {
  private final Workspace workspace;

  public ConstantEncoding(Workspace workspace) {
    super(2, "CONST");
    this.workspace = workspace;
  }

  @Override
  public @Nullable Estimate estimate(Analysis analysis) {
    return analysis.ranges().isConstant() ? Estimate.of(Long.BYTES) : null;
  }

  @Override
  public @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    Object window = workspace.window(values.kind());
    values.load(0, 1, window);
    long value = Windows.at(window, 0);
    boolean isComparable = values.isPlain() && !values.kind().isNaN(value);
    boolean isConstant =
        isComparable ? values.matchEnd(1, 1) == values.count() : areAll(value, values);
    if (!isConstant) {
      return null;
    }
    target.putLong(value);
    return List.of();
  }

  private boolean areAll(long value, Values values) {
    for (int from = 0; from < values.count(); from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, values.count() - from);
      values.loadLongs(from, n, workspace.wideWindow, 0, workspace.window);
      if (LongKernels.differing(workspace.wideWindow, n, value) != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessExactly("a constant", source, Long.BYTES);
    long value = source.getLong();
    Arrays.fill(workspace.wideWindow, value);
    Arrays.fill(workspace.window, (int) value);
    Object window = workspace.window(sink.kind());
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      sink.store(from, Math.min(MiniBlock.VALUES, count - from), window);
    }
    return List.of();
  }
}
