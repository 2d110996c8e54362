package io.drayage.memory;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads a buffer from its position to its limit, and moves its position. */
public final class ByteBufferInputStream extends InputStream {
  private final ByteBuffer source;

  /** Reads from the position of {@code source} on, to its limit. */
  public ByteBufferInputStream(ByteBuffer source) {
    this.source = source;
  }

  @Override
  public int read() {
    return source.hasRemaining() ? source.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    int bytes = Math.min(length, source.remaining());
    if (bytes == 0) {
      return length == 0 ? 0 : -1;
    }
    source.get(target, offset, bytes);
    return bytes;
  }

  @Override
  public int available() {
    return source.remaining();
  }
}
