package io.drayage.baseline.stream;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read from a stream, including skipped bytes. */
abstract class CountedInputStream extends FilterInputStream {
  CountedInputStream(InputStream in) {
    super(in);
  }

  /**
   * Counts bytes that were read from the stream.
   *
   * @throws IOException if the reader must not get them
   */
  abstract void count(long bytes) throws IOException;

  @Override
  public final int read() throws IOException {
    int value = in.read();
    count(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public final int read(byte[] target, int offset, int length) throws IOException {
    int bytes = in.read(target, offset, length);
    count(Math.max(0, bytes));
    return bytes;
  }

  @Override
  public final long skip(long count) throws IOException {
    long bytes = in.skip(count);
    count(bytes);
    return bytes;
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
