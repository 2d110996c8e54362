package io.drayage.memory;

import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Writes into a buffer from its position to its limit, and moves its position. Throws {@link
 * java.nio.BufferOverflowException} at the limit.
 */
public final class ByteBufferOutputStream extends OutputStream {
  private final ByteBuffer target;

  /** Writes from the position of {@code target} on, to its limit. */
  public ByteBufferOutputStream(ByteBuffer target) {
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
