package io.drayage.bench.codecs;

import io.drayage.baseline.stream.CompressorStreams;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.baseline.stream.UnflushedOutputStream;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A cargo through the streams of serializer and compressor into memory that is used in turns: more
 * than a cache holds, so that a written byte costs what it costs in a real buffer, and far less
 * than a whole cargo.
 */
final class StreamSerialization extends Work {
  private final ChangeCargo cargo;
  private final Combination combination;
  private final ChunkedBytes sink =
      new ChunkedBytes(SegmentSerialization.IN_FLIGHT_BYTES / ChunkedBytes.CHUNK_BYTES);

  StreamSerialization(ChangeCargo cargo, Combination combination) {
    super(CargoSize.rawBytes(cargo));
    this.cargo = cargo;
    this.combination = combination;
  }

  static void write(ChangeCargo cargo, Combination combination, OutputStream out)
      throws IOException {
    OutputStream compressing = CompressorStreams.compressing(combination.newCompressor(), out);
    try (OutputStream target =
        combination.form() == Form.NO_FLUSH
            ? new UnflushedOutputStream(compressing)
            : compressing) {
      StreamSerializer.write(combination.newSerializer(), cargo, target);
    }
  }

  @Override
  public Object run() throws IOException {
    sink.reset();
    write(cargo, combination, sink);
    encoded(sink.bytes(), 0);
    return sink;
  }

  @Override
  public void verify(long digest) throws IOException {
    new StreamDeserialization(cargo, combination).verify(digest);
  }
}
