package io.drayage.bench.codecs;

import io.drayage.baseline.stream.CompressorStreams;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.baseline.stream.UnflushedOutputStream;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes or reads a cargo through the streams of serializer and compressor. It reads from bytes in
 * memory, and writes into memory that is reused cyclically: more than a cache holds, so that a
 * written byte costs as much as in a real buffer, and far less than a whole cargo.
 */
final class StreamWork extends Work {
  private static final int CHUNKS_IN_TURNS =
      SegmentSerialization.IN_FLIGHT_BYTES / ChunkedBytes.CHUNK_BYTES;

  private final Combination combination;
  private final ChunkedBytes bytes;

  /** The cargo to write; null if its bytes are read. */
  private final @Nullable ChangeCargo cargo;

  StreamWork(Direction direction, Combination combination, ChangeCargo cargo) throws IOException {
    super(CargoSize.rawBytes(cargo));
    this.combination = combination;
    if (direction == Direction.SERIALIZATION) {
      this.bytes = new ChunkedBytes(CHUNKS_IN_TURNS);
      this.cargo = cargo;
    } else {
      this.bytes = new ChunkedBytes(Integer.MAX_VALUE);
      this.cargo = null;
      write(cargo, combination, bytes);
      encoded(bytes.bytes(), 0);
    }
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

  private ChangeCargo read() throws IOException {
    try (InputStream in =
        CompressorStreams.decompressing(
            combination.newCompressor(), bytes.newInputStream(), charged -> {})) {
      ChangeCargo read = StreamSerializer.read(combination.newSerializer(), in, Long.MAX_VALUE);
      if (in.read() >= 0) {
        throw new IOException("there are bytes behind the cargo");
      }
      return read;
    }
  }

  @Override
  public Object run() throws IOException {
    if (cargo == null) {
      return read();
    }
    bytes.reset();
    write(cargo, combination, bytes);
    encoded(bytes.bytes(), 0);
    return bytes;
  }

  @Override
  public void verify(long digest) throws IOException {
    requireDigest(
        digest,
        cargo == null
            ? read()
            : new StreamWork(Direction.DESERIALIZATION, combination, cargo).read());
  }
}
