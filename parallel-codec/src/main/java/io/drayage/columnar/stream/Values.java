package io.drayage.columnar.stream;

import java.nio.ByteBuffer;

/** The values of a stream that is to be written, copied out in windows. Not thread-safe. */
public interface Values {
  int count();

  /** What they are; {@link #load(int, int, int[])} if they are not wide, else the other. */
  Kind kind();

  /** Copies values {@code from} to {@code from + count - 1} to the start of {@code window}. */
  default void load(int from, int count, int[] window) {
    throw new IllegalStateException("values of %s take a window of longs".formatted(kind()));
  }

  /** As the other, for wide values. */
  default void load(int from, int count, long[] window) {
    throw new IllegalStateException("values of %s take a window of ints".formatted(kind()));
  }

  /** Bytes of a raw value. */
  default int rawWidth() {
    return kind().bytes();
  }

  /** Whether {@link #at} and {@link #matchEnd} may be asked. */
  boolean isPlain();

  /** The bits of one value. */
  long at(int index);

  /**
   * The first place, {@code from} or behind it, whose value is not the one that stands {@code
   * distance} before it; {@link #count} if there is none. NaNs are taken to be equal.
   */
  int matchEnd(int from, int distance);

  /** Writes some raw values, {@link #rawWidth} bytes each. */
  void copyRaw(int from, int count, ByteBuffer target);

  /** Writes all raw values. */
  default void writeRaw(ByteBuffer target) {
    copyRaw(0, count(), target);
  }
}
