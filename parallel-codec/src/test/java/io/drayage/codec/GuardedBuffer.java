package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A little-endian direct buffer inside a larger buffer whose other bytes must not change. */
final class GuardedBuffer {
  private static final int GUARD_BYTES = 67;
  private static final byte GUARD = (byte) 0xA5;

  private final ByteBuffer buffer;
  private final int bytes;

  private GuardedBuffer(int bytes) {
    this.bytes = bytes;
    this.buffer = ByteBuffer.allocateDirect(bytes + 2 * GUARD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      buffer.put(GUARD);
    }
  }

  static GuardedBuffer ofBytes(int bytes) {
    return new GuardedBuffer(bytes);
  }

  static GuardedBuffer of(byte[] content) {
    GuardedBuffer guarded = new GuardedBuffer(content.length);
    guarded.buffer.put(GUARD_BYTES, content);
    return guarded;
  }

  /** All bytes, from the first to the last, whatever position and limit are. */
  ByteBuffer whole() {
    return buffer.limit(GUARD_BYTES + bytes).position(GUARD_BYTES);
  }

  /** The bytes up to the position. */
  byte[] written() {
    byte[] content = new byte[buffer.position() - GUARD_BYTES];
    buffer.get(GUARD_BYTES, content);
    return content;
  }

  void assertNothingElseWritten(String description) {
    ByteBuffer all = buffer.duplicate().clear();
    for (int i = 0; i < GUARD_BYTES; i++) {
      assertThat(all.get(i)).as("%s, %d before the buffer", description, i).isEqualTo(GUARD);
      assertThat(all.get(GUARD_BYTES + bytes + i))
          .as("%s, %d behind the buffer", description, i)
          .isEqualTo(GUARD);
    }
  }
}
