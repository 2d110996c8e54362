package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Writes a number of chunks and fails; fails when it reads. */
record FakeSerializer(int chunks, Error readFailure) implements StreamSerializer {
  @Override
  public int id() {
    return 255;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException {
    byte[] chunk = new byte[StreamOptions.PUBLISHED_CHUNK_BYTES];
    for (int i = 0; i < chunks; i++) {
      out.write(chunk);
    }
    throw new IOException("that was all");
  }

  @Override
  public ChangeCargo readCargo(InputStream in, MemoryAccount memory) {
    throw readFailure;
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    throw new UnsupportedOperationException();
  }
}
