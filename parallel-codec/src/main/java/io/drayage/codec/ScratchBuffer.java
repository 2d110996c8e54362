package io.drayage.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A direct buffer for what a compressor reads or writes. Grows to what is asked for, and shrinks
 * again after an exceptionally large segment. Not thread-safe.
 */
public final class ScratchBuffer {
  /** A segment of usual size in any serializer's form. */
  private static final int USUAL_BYTES = (1 << 20) + (1 << 18);

  private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

  /** Bytes that can be asked for without an allocation. */
  public int capacity() {
    return buffer.capacity();
  }

  /** A little-endian buffer from 0 to {@code bytes}; its earlier content is lost. */
  public ByteBuffer ofBytes(int bytes) {
    boolean tooSmall = bytes > buffer.capacity();
    boolean muchTooLarge = bytes <= USUAL_BYTES && buffer.capacity() > 4 * USUAL_BYTES;
    if (tooSmall || muchTooLarge) {
      buffer =
          ByteBuffer.allocateDirect(Math.max(bytes, USUAL_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
    }
    return buffer.clear().limit(bytes);
  }
}
