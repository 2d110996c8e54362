package io.drayage.baseline.stream;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Tells a {@link MemoryAccount} how many bytes a stream has given. */
final class AccountedInputStream extends FilterInputStream {
  private final MemoryAccount memory;
  private long givenBytes;

  AccountedInputStream(InputStream in, MemoryAccount memory) {
    super(in);
    this.memory = memory;
  }

  @Override
  public int read() throws IOException {
    int value = in.read();
    count(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int bytes = in.read(target, offset, length);
    count(Math.max(0, bytes));
    return bytes;
  }

  @Override
  public long skip(long count) throws IOException {
    long bytes = in.skip(count);
    count(bytes);
    return bytes;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(long bytes) throws IOException {
    givenBytes += bytes;
    memory.given(givenBytes);
  }
}
