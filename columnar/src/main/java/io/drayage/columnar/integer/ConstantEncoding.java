package io.drayage.columnar.integer;

import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Estimates;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Glimpse;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Windows;
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
    Object window = workspace.window(values.kind());
    values.load(0, 1, window);
    long value = Windows.at(window, 0);
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

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
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
