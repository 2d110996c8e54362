package io.drayage.codec;

import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;

/** The same for compressors in a stream. */
class StreamGoldenTest extends GoldenCodecTest {
  @Override
  Stream<CodecPair> files() {
    return super.files().filter(pair -> pair.compressor().id() != Compressor.STORED_ID);
  }

  @Override
  String suffix() {
    return "stream";
  }

  @Override
  byte[] write(CodecPair pair, ChangeCargo cargo) throws IOException {
    return new StreamTrip(pair).write(cargo);
  }

  @Override
  ChangeCargo read(CodecPair pair, InputStream bytes) throws IOException {
    return new StreamTrip(pair).read(bytes, Trip.MAX_CARGO_BYTES);
  }
}
