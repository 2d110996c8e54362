package io.drayage.serializer;

import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Writes into a buffer that has room. */
final class ByteBufferOutputStream extends OutputStream {
  private final ByteBuffer target;

  ByteBufferOutputStream(ByteBuffer target) {
    this.target = target;
  }

  @Override
  public void write(int value) {
    target.put((byte) value);
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    target.put(source, offset, length);
  }
}
