package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Estimates;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Glimpse;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One value, {@code i64}, that all are. */
public final class ConstantEncoding extends Encoding {
  private final Workspace workspace;

  public ConstantEncoding(Workspace workspace) {
    super(2, "CONST");
    this.workspace = workspace;
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return widened(kind, rawWidth, 0.15, 0.3);
  }

  @Override
  public void glimpse(Glimpse glimpse) {
    if (glimpse.changeShare() == 0) {
      glimpse.add(this, 0, 0);
    }
  }

  @Override
  public void estimate(Estimates estimates) {
    if (estimates.statistics().isConstant()) {
      estimates.addLast(this, Long.BYTES);
    }
  }

  @Override
  public @Nullable List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    long value = first(values);
    boolean constant =
        facts.isSettledOn(this)
            ? values.isPlain()
                && !values.kind().isNaN(value)
                && values.matchEnd(1, 1) == values.count()
            : workspace.statistics().isConstant();
    if (!constant) {
      return null;
    }
    target.putLong(value);
    return List.of();
  }

  private long first(Values values) {
    if (values.kind().isWide()) {
      values.load(0, 1, workspace.wideWindow);
      return workspace.wideWindow[0];
    }
    values.load(0, 1, workspace.window);
    return workspace.window[0];
  }

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, ValueSink sink)
      throws ShipmentException {
    Malformed.unlessExactly("a constant", source, Long.BYTES);
    long value = source.getLong();
    boolean wide = sink.kind().isWide();
    if (wide) {
      Arrays.fill(workspace.wideWindow, value);
    } else {
      Arrays.fill(workspace.window, (int) value);
    }
    for (int from = 0; from < count; from += MiniBlock.VALUES) {
      int n = Math.min(MiniBlock.VALUES, count - from);
      if (wide) {
        sink.store(from, n, workspace.wideWindow);
      } else {
        sink.store(from, n, workspace.window);
      }
    }
    return List.of();
  }
}
