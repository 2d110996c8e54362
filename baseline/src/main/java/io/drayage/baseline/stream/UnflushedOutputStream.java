package io.drayage.baseline.stream;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Passes on everything except a flush. Not thread-safe. */
public final class UnflushedOutputStream extends FilterOutputStream {
  public UnflushedOutputStream(OutputStream out) {
    super(out);
  }

  /** Passes on the bytes at once: the superclass would pass on one byte at a time. */
  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    out.write(source, offset, length);
  }

  @Override
  public void flush() {}

  @Override
  public void close() throws IOException {
    out.close();
  }
}
