package io.drayage.codec;

import io.drayage.baseline.stream.CompressorStreams;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ChangeCargo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The stream form, opened, closed and read to its end as in the stream pipeline. */
record StreamTrip(CodecPair pair) implements Trip {
  @Override
  public ChangeCargo carry(ChangeCargo cargo) throws IOException {
    return read(new ByteArrayInputStream(write(cargo)), MAX_CARGO_BYTES);
  }

  byte[] write(ChangeCargo cargo) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = CompressorStreams.compressing(pair.compressor(), bytes)) {
      StreamSerializer.write(pair.serializer(), cargo, out);
    }
    return bytes.toByteArray();
  }

  ChangeCargo read(InputStream bytes, long maxCargoBytes) throws IOException {
    try (InputStream in =
        CompressorStreams.decompressing(pair.compressor(), bytes, charged -> {})) {
      ChangeCargo cargo = StreamSerializer.read(pair.serializer(), in, maxCargoBytes);
      if (in.read() >= 0) {
        throw new IOException("there are bytes behind the cargo");
      }
      return cargo;
    }
  }
}
