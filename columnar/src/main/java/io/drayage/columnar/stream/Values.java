package io.drayage.columnar.stream;

import java.nio.ByteBuffer;

/**
 * The values of a stream: those to be written, or the place of those that are read, which come in
 * order. They are copied in windows: a {@code long[]} if they are wide, else an {@code int[]}. Not
 * thread-safe.
 */
public interface Values {
  /** About so many values are repeated at a time: not more than what is in a cache. */
  int MAX_REPEATED = 2_048;

  int count();

  Kind kind();

  /** Bytes of a raw value. */
  default int rawWidth() {
    return kind().bytes();
  }

  /** Copies values {@code from} to {@code from + count - 1} to the window, from {@code at} on. */
  void load(int from, int count, Object window, int at);

  /** Copies values to the start of a window. */
  default void load(int from, int count, Object window) {
    load(from, count, window, 0);
  }

  /** Copies values as longs, whatever they are; {@code window} is used for those that are not. */
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

  /** Stores values of the window, from {@code at} on, as values {@code from} and following. */
  void store(int from, int count, Object window, int at);

  /** Stores values from the start of a window. */
  default void store(int from, int count, Object window) {
    store(from, count, window, 0);
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
