package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.unsafe.UnsafeInput;
import com.esotericsoftware.kryo.unsafe.UnsafeOutput;
import com.esotericsoftware.kryo.unsafe.UnsafeUtil;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * {@code kryo-unsafe}, with Kryo's unsafe buffers, as the study ran them: 4 kB, ints and longs of
 * fixed length, arrays copied as memory. A full buffer flushes the stream below it.
 *
 * <p>The buffers need {@code sun.misc.Unsafe}. JDK 24 and later deny access to it if an option says
 * so, and a later JDK always will. Unsafe is not touched before the first use.
 */
public final class KryoUnsafeSerializer extends KryoSerializer {
  private static final int PROBE = 0x01020304;

  public KryoUnsafeSerializer() {
    super(4, "kryo-unsafe", STUDY_BUFFER_BYTES);
  }

  @Override
  Output newOutput(int bytes) {
    Output output = new UnsafeOutput(bytes);
    output.setVariableLengthEncoding(false);
    return output;
  }

  @Override
  Input newInput(int bytes) {
    Input input = new UnsafeInput(bytes);
    input.setVariableLengthEncoding(false);
    return input;
  }

  @Override
  public void requireUsable() {
    if (Probe.OBSTACLE != null) {
      throw new UnsupportedOperationException(
          "kryo-unsafe cannot run on JDK %s: %s; allow it with %s (JDK 24 and later), or use %s"
              .formatted(
                  Runtime.version().feature(),
                  Probe.OBSTACLE,
                  "--sun-misc-unsafe-memory-access=allow",
                  "kryo-tuned"));
    }
  }

  /** Tries Unsafe once, at its first use. */
  private static final class Probe {
    static final @Nullable String OBSTACLE = obstacle();

    private static @Nullable String obstacle() {
      if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
        return "it copies memory as it is, and this machine is big-endian";
      }
      try {
        // Kryo itself ignores the refusal, and would continue with offsets of zero.
        if (UnsafeUtil.byteArrayBaseOffset > 0 && isEcho()) {
          return null;
        }
      } catch (RuntimeException | LinkageError e) {
        return "memory access through sun.misc.Unsafe is refused (%s)".formatted(e);
      }
      return "memory access through sun.misc.Unsafe is refused";
    }

    private static boolean isEcho() {
      UnsafeOutput output = new UnsafeOutput(Integer.BYTES);
      output.writeInt(PROBE);
      return new UnsafeInput(output.toBytes()).readInt() == PROBE;
    }
  }
}
