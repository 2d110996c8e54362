package io.drayage.bench.codecs.work;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import java.io.IOException;

/** A cargo through the streams of serializer and compressor into a {@link RingOutputStream}. */
final class StreamSerialization extends Work {
  private final ChangeCargo cargo;
  private final Combination combination;
  private final RingOutputStream sink = new RingOutputStream();

  StreamSerialization(ChangeCargo cargo, Combination combination) {
    super(CargoSize.rawBytes(cargo));
    this.cargo = cargo;
    this.combination = combination;
  }

  @Override
  public Object run() throws IOException {
    sink.reset();
    CargoWriter.writeStream(cargo, combination, sink);
    encoded(sink.bytes(), 0);
    return sink;
  }

  @Override
  public void verify(long digest) throws IOException {
    new StreamDeserialization(cargo, combination).verify(digest);
  }
}
