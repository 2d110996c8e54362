package io.drayage.baseline.stream;

import java.io.IOException;
import java.io.InputStream;

/** Tells a {@link MemoryAccount} how many bytes a stream has given. */
final class AccountedInputStream extends CountedInputStream {
  private final MemoryAccount memory;
  private long givenBytes;

  AccountedInputStream(InputStream in, MemoryAccount memory) {
    super(in);
    this.memory = memory;
  }

  @Override
  void count(long bytes) throws IOException {
    givenBytes += bytes;
    memory.given(givenBytes);
  }
}
