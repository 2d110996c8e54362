package io.drayage.bench.codecs;

import java.io.OutputStream;
import java.util.Objects;

/** Counts bytes and forgets them. For one thread. */
final class CountingOutputStream extends OutputStream {
  private long bytes;

  @Override
  public void write(int value) {
    bytes++;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    bytes += length;
  }

  /** The bytes written so far. */
  long bytes() {
    return bytes;
  }
}
