package io.drayage.bench.codecs;

import io.drayage.baseline.stream.CompressorStreams;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.io.InputStream;

/** A cargo out of its bytes in memory, through the streams of compressor and serializer. */
final class StreamDeserialization extends Work {
  private final Combination combination;
  private final ChunkedBytes bytes = new ChunkedBytes(Integer.MAX_VALUE);

  StreamDeserialization(ChangeCargo cargo, Combination combination) throws IOException {
    super(CargoSize.rawBytes(cargo));
    this.combination = combination;
    StreamSerialization.write(cargo, combination, bytes);
    encoded(bytes.bytes(), 0);
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
    requireDigest(digest, run());
  }
}
