package io.drayage.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A direct buffer for the input or output of a compressor. Grows to the requested size, and shrinks
 * again after an exceptionally large segment. Not thread-safe.
 */
public final class ScratchBuffer {
  /** Size of a usual segment in any serializer's form. */
  private static final int USUAL_BYTES = (1 << 20) + (1 << 18);

  private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

  /** The size that can be requested without an allocation. */
  public int capacity() {
    return buffer.capacity();
  }

  /** Returns a little-endian buffer from 0 to {@code bytes}. The earlier content is lost. */
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
