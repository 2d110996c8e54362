package io.drayage.baseline.stream;

import java.io.IOException;
import java.io.InputStream;

/** Reports to a {@link MemoryAccount} how many bytes were read from a stream. */
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
