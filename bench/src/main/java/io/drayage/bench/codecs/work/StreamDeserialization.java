package io.drayage.bench.codecs.work;

import io.drayage.baseline.stream.CompressorStreams;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.bench.codecs.CargoWriter;
import io.drayage.bench.codecs.Combination;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.io.InputStream;

/** A cargo out of its bytes in memory, through the streams of compressor and serializer. */
final class StreamDeserialization implements Work {
  private final Combination combination;
  private final ChunkedBytes bytes = new ChunkedBytes();
  private final long rawBytes;

  StreamDeserialization(ChangeCargo cargo, Combination combination) throws IOException {
    this.combination = combination;
    this.rawBytes = CargoSize.rawBytes(cargo);
    CargoWriter.writeStream(cargo, combination, bytes);
  }

  @Override
  public ChangeCargo run() throws IOException {
    try (InputStream in =
        CompressorStreams.decompressing(
            combination.newCompressor(), bytes.newInputStream(), charged -> {})) {
      ChangeCargo cargo = StreamSerializer.read(combination.newSerializer(), in, Long.MAX_VALUE);
      if (in.read() >= 0) {
        throw new IOException("there are bytes behind the cargo");
      }
      return cargo;
    }
  }

  @Override
  public void verify(long digest) throws IOException {
    Work.requireDigest(digest, CargoDigest.of(run()));
  }

  @Override
  public long rawBytes() {
    return rawBytes;
  }

  @Override
  public long encodedBytes() {
    return bytes.bytes();
  }

  @Override
  public int segments() {
    return 0;
  }

  @Override
  public void close() {}
}
