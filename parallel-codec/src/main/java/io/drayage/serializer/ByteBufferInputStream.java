package io.drayage.serializer;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads a buffer to its limit. */
final class ByteBufferInputStream extends InputStream {
  private final ByteBuffer source;

  ByteBufferInputStream(ByteBuffer source) {
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
