package io.drayage.columnar.integer;

import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Estimates;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Kind;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Values;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;

/** Raw values, of the width of the column, or of the kind in a stream within another. */
public final class RawEncoding extends Encoding {
  private static final double NS_PER_BYTE = 0.105;

  public RawEncoding() {
    super(1, "RAW");
  }

  @Override
  public int statistics() {
    return 0;
  }

  /** Others may suit the next values: they are looked at. */
  @Override
  public boolean isWrittenUnscanned() {
    return false;
  }

  @Override
  public double nsPerValue(Kind kind, int rawWidth) {
    return nsPerValue(rawWidth);
  }

  /** What copying a value out of its page and into another costs. */
  public static double nsPerValue(int rawWidth) {
    return rawWidth * NS_PER_BYTE;
  }

  @Override
  public void estimate(Estimates estimates) {
    estimates.add(this, (double) estimates.count() * estimates.values().rawWidth());
  }

  @Override
  public List<EncodingTree> write(Values values, Facts facts, ByteBuffer target) {
    values.writeRaw(target);
    return List.of();
  }

  @Override
  public List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException {
    Malformed.unlessExactly("raw values", source, (long) count * sink.rawWidth());
    sink.storeRaw(0, count, source);
    return List.of();
  }
}
