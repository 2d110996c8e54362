package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A little-endian direct buffer between guard bytes, which nobody may touch. */
final class Guarded {
  private static final int GUARD_BYTES = 64;
  private static final byte GUARD = (byte) 0xA5;

  private final ByteBuffer all;
  private final int bytes;

  Guarded(int bytes) {
    this.bytes = bytes;
    this.all = ByteBuffer.allocateDirect(bytes + 2 * GUARD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (all.hasRemaining()) {
      all.put(GUARD);
    }
  }

  /** Holds exactly the remaining bytes of {@code content}. */
  static Guarded of(ByteBuffer content) {
    Guarded guarded = new Guarded(content.remaining());
    guarded.buffer().put(content.duplicate());
    return guarded;
  }

  /** The bytes between the guards, the position at their start, in a buffer that is larger. */
  ByteBuffer buffer() {
    return all.duplicate()
        .order(ByteOrder.LITTLE_ENDIAN)
        .clear()
        .position(GUARD_BYTES)
        .limit(GUARD_BYTES + bytes);
  }

  void assertGuardsUntouched(String what) {
    for (int i = 0; i < GUARD_BYTES; i++) {
      assertThat(all.get(i)).as("guard byte %d before %s", i, what).isEqualTo(GUARD);
      int behind = GUARD_BYTES + bytes + i;
      assertThat(all.get(behind)).as("guard byte %d behind %s", i, what).isEqualTo(GUARD);
    }
  }
}
