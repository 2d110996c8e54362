package io.drayage.columnar;

import java.nio.ByteBuffer;

/** Where the values of a stream go that is read, in windows and in order. For one thread. */
interface Room {
  /** About so many values are repeated at a time: not more than what is in a cache. */
  int MAX_REPEATED = 2_048;

  Kind kind();

  /** Takes the first {@code count} values of the window as values {@code from} and following. */
  default void store(int from, int count, int[] window) {
    store(from, count, window, 0);
  }

  /** As the other, for wide values. */
  default void store(int from, int count, long[] window) {
    store(from, count, window, 0);
  }

  /** Takes values from index {@code at} of the window on. */
  void store(int from, int count, int[] window, int at);

  /** As the other, for wide values. */
  void store(int from, int count, long[] window, int at);

  /** Takes values as they are, {@link #rawWidth} bytes each; all bytes are there. */
  void storeRaw(int from, int count, ByteBuffer source);

  /** Takes as values {@code from} and following those that stand {@code distance} before them. */
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

  /** Copies values; the places do not overlap. */
  void copy(int from, int to, int count);

  /** Bytes of a value as it is. */
  default int rawWidth() {
    return kind().bytes();
  }

  /** Reads {@code count} values as they are; all bytes are there. */
  void readRaw(ByteBuffer source, int count);

  /** Room in an array. */
  static Room of(Kind kind, int[] values) {
    return new Room() {
      @Override
      public Kind kind() {
        return kind;
      }

      @Override
      public void store(int from, int count, int[] window, int at) {
        System.arraycopy(window, at, values, from, count);
      }

      @Override
      public void storeRaw(int from, int count, ByteBuffer source) {
        source.asIntBuffer().get(values, from, count);
      }

      @Override
      public void copy(int from, int to, int count) {
        System.arraycopy(values, from, values, to, count);
      }

      @Override
      public void store(int from, int count, long[] window, int at) {
        throw new IllegalStateException("a stream of %s is not wide".formatted(kind));
      }

      @Override
      public void readRaw(ByteBuffer source, int count) {
        source.asIntBuffer().get(values, 0, count);
        source.position(source.position() + count * Integer.BYTES);
      }
    };
  }

  /** Room for wide values in an array. */
  static Room of(Kind kind, long[] values) {
    return new Room() {
      @Override
      public Kind kind() {
        return kind;
      }

      @Override
      public void store(int from, int count, int[] window, int at) {
        throw new IllegalStateException("a stream of %s is wide".formatted(kind));
      }

      @Override
      public void store(int from, int count, long[] window, int at) {
        System.arraycopy(window, at, values, from, count);
      }

      @Override
      public void storeRaw(int from, int count, ByteBuffer source) {
        source.asLongBuffer().get(values, from, count);
      }

      @Override
      public void copy(int from, int to, int count) {
        System.arraycopy(values, from, values, to, count);
      }

      @Override
      public void readRaw(ByteBuffer source, int count) {
        source.asLongBuffer().get(values, 0, count);
        source.position(source.position() + count * Long.BYTES);
      }
    };
  }
}
