package io.drayage.columnar.integer;

import io.drayage.columnar.stream.Analysis;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Estimate;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;

/** Raw values, with the width of the column, or in an inner stream the width of the kind. */
public final class RawEncoding extends Encoding {
  public RawEncoding() {
    super(1, "RAW");
  }

  @Override
  public Estimate estimate(Analysis analysis) {
    return Estimate.of((double) analysis.count() * analysis.values().rawWidth());
  }

  @Override
  public List<Scheme> write(Values values, Scheme scheme, ByteBuffer target) {
    values.writeRaw(target);
    return List.of();
  }

  @Override
  public List<Scheme> read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    Malformed.unlessExactly("raw values", source, (long) count * sink.rawWidth());
    sink.storeRaw(0, count, source);
    return List.of();
  }
}
