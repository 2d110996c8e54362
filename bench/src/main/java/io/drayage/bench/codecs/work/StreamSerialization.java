package io.drayage.bench.codecs.work;

import io.drayage.bench.codecs.CargoWriter;
import io.drayage.bench.codecs.Combination;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import java.io.IOException;

/** A cargo through the streams of serializer and compressor into a {@link RingOutputStream}. */
final class StreamSerialization implements Work {
  private final ChangeCargo cargo;
  private final Combination combination;
  private final RingOutputStream sink = new RingOutputStream();

  StreamSerialization(ChangeCargo cargo, Combination combination) {
    this.cargo = cargo;
    this.combination = combination;
  }

  @Override
  public Object run() throws IOException {
    sink.reset();
    CargoWriter.writeStream(cargo, combination, sink);
    return sink;
  }

  @Override
  public void verify(long digest) throws IOException {
    new StreamDeserialization(cargo, combination).verify(digest);
  }

  @Override
  public long rawBytes() {
    return CargoSize.rawBytes(cargo);
  }

  @Override
  public long encodedBytes() {
    return sink.bytes();
  }

  @Override
  public int segments() {
    return 0;
  }

  @Override
  public void close() {}
}
