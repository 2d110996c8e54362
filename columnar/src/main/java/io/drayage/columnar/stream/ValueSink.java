package io.drayage.columnar.stream;

import java.nio.ByteBuffer;

/**
 * The place of values that are read, which come in order: in windows, a {@code long[]} if they are
 * wide, else an {@code int[]}. Not thread-safe.
 */
public interface ValueSink {
  /** About so many values are repeated at a time: not more than what is in a cache. */
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

  /** Stores longs as values, whatever those are; {@code window} is used if they are not wide. */
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

  /** Copies stored values; the places do not overlap. */
  void copy(int from, int to, int count);

  /** Stores as values {@code from} and following those that stand {@code distance} before them. */
  default void repeat(int from, int distance, int count) {
    int batch = Math.max(distance, MAX_REPEATED / distance * distance);
    int done = 0;
    while (done < count) {
      // What is copied already can be copied again: twice as much each time, while it is near.
      int back = Math.min(batch, distance + done);
      int number = Math.min(count - done, back);
      copy(from + done - back, from + done, number);
      done += number;
    }
  }
}
