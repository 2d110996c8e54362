package io.drayage.columnar.stream;

import java.nio.ByteBuffer;

/** Where the values of a stream go that is read: in windows, in order. Not thread-safe. */
public interface ValueSink {
  /** About so many values are repeated at a time: not more than what is in a cache. */
  int MAX_REPEATED = 2_048;

  Kind kind();

  /** Bytes of a raw value. */
  default int rawWidth() {
    return kind().bytes();
  }

  /** Stores the first {@code count} values of the window as values {@code from} and following. */
  default void store(int from, int count, int[] window) {
    store(from, count, window, 0);
  }

  /** As the other, for wide values. */
  default void store(int from, int count, long[] window) {
    store(from, count, window, 0);
  }

  /** Stores values from index {@code at} of the window on. */
  default void store(int from, int count, int[] window, int at) {
    throw new IllegalStateException("values of %s take a window of longs".formatted(kind()));
  }

  /** As the other, for wide values. */
  default void store(int from, int count, long[] window, int at) {
    throw new IllegalStateException("values of %s take a window of ints".formatted(kind()));
  }

  /**
   * Stores raw values, {@link #rawWidth} bytes each; all bytes are there. The source's position
   * then means nothing.
   */
  void storeRaw(int from, int count, ByteBuffer source);

  /** Stores a whole stream of raw values; the source's position then stands behind them. */
  void readRaw(ByteBuffer source, int count);

  /** Copies values; the places do not overlap. */
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
