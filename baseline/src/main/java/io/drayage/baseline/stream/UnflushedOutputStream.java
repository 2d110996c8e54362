package io.drayage.baseline.stream;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Passes everything on but a flush. Not thread-safe. */
public final class UnflushedOutputStream extends FilterOutputStream {
  public UnflushedOutputStream(OutputStream out) {
    super(out);
  }

  /** As it is: the superclass would pass on byte by byte. */
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
