package io.drayage.columnar.stream;

import java.nio.ByteBuffer;

/**
 * The values of a stream, to be written. They are copied in windows: a {@code long[]} if they are
 * wide, else an {@code int[]}. A window is a copy and may be changed. Not thread-safe.
 */
public interface Values extends ValueSink {
  /** Copies values {@code from} to {@code from + count - 1} to the window, from {@code at} on. */
  void load(int from, int count, Object window, int at);

  /** Copies values to the start of a window. */
  default void load(int from, int count, Object window) {
    load(from, count, window, 0);
  }

  /** Copies values of any kind as longs; {@code window} is used if they are not wide. */
  default void loadLongs(int from, int count, long[] to, int at, int[] window) {
    if (kind().isWide()) {
      load(from, count, to, at);
      return;
    }
    load(from, count, window);
    for (int i = 0; i < count; i++) {
      to[at + i] = window[i];
    }
  }

  /** Whether {@link #at} and {@link #matchEnd} may be called. */
  boolean isPlain();

  /** Returns the bits of one value. */
  long at(int index);

  /**
   * Returns the first index from {@code from} on whose value differs from the value {@code
   * distance} before it; {@link #count} if there is none. NaNs count as equal.
   */
  int matchEnd(int from, int distance);

  /** Writes some raw values, {@link #rawWidth} bytes each. */
  void copyRaw(int from, int count, ByteBuffer target);

  /** Writes all raw values. */
  default void writeRaw(ByteBuffer target) {
    copyRaw(0, count(), target);
  }
}
