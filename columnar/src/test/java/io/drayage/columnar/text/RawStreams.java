package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.ValueSink;
import io.drayage.columnar.stream.Values;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Raw values after their number, for tests of the surrounding bytes. */
class RawStreams implements Streams {
  @Override
  public Scheme write(Values values, @Nullable Scheme like, ByteBuffer target, int maxBytes) {
    target.putInt(values.count());
    values.writeRaw(target);
    return new Scheme(1, "RAW", values.count(), 0, List.of());
  }

  @Override
  public Scheme read(ByteBuffer source, int count, ValueSink sink) throws ShipmentException {
    if (source.remaining() < Integer.BYTES
        || source.getInt() != count
        || source.remaining() < (long) count * sink.rawWidth()) {
      throw new ShipmentException(Fault.DECODE, format("no %,d integers", count));
    }
    sink.storeRaw(0, count, source);
    return new Scheme(1, "RAW", count, 0, List.of());
  }
}
