package io.drayage.columnar.stream;

import java.nio.ByteBuffer;

/**
 * The destination of values that are read. They arrive in order, in windows: a {@code long[]} if
 * they are wide, else an {@code int[]}. Not thread-safe.
 */
public interface ValueSink {
  /** Approximate number of values that are copied at a time, so that they stay in a cache. */
  int MAX_REPEATED = 2_048;

  int count();

  Kind kind();

  /** Bytes of a raw value. */
  default int rawWidth() {
    return kind().bytes();
  }

  /** Stores values of the window, from {@code at} on, as values {@code from} and following. */
  void store(int from, int count, Object window, int at);

  /** Stores values from the start of a window. */
  default void store(int from, int count, Object window) {
    store(from, count, window, 0);
  }

  /** Stores longs as values of any kind; {@code window} is used if they are not wide. */
  default void storeLongs(int from, int count, long[] values, int[] window) {
    if (kind().isWide()) {
      store(from, count, values);
      return;
    }
    for (int i = 0; i < count; i++) {
      window[i] = (int) values[i];
    }
    store(from, count, window);
  }

  /** Stores raw values, {@link #rawWidth} bytes each; all bytes are there. */
  void storeRaw(int from, int count, ByteBuffer source);

  /** Copies stored values; the ranges do not overlap. */
  void copy(int from, int to, int count);

  /** Stores values {@code from} and following, copied from {@code distance} places before. */
  default void repeat(int from, int distance, int count) {
    int batch = Math.max(distance, MAX_REPEATED / distance * distance);
    int done = 0;
    while (done < count) {
      // Copied values are copied again: twice as many each time, while they are near.
      int back = Math.min(batch, distance + done);
      int number = Math.min(count - done, back);
      copy(from + done - back, from + done, number);
      done += number;
    }
  }
}
