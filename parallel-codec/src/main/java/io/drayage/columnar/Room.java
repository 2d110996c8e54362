package io.drayage.columnar;

import java.nio.ByteBuffer;

/** Where the values of a stream go that is read, in windows and in order. For one thread. */
interface Room {
  Kind kind();

  /** Takes the first {@code count} values of the window as values {@code from} and following. */
  void store(int from, int count, int[] window);

  /** As the other, for wide values. */
  void store(int from, int count, long[] window);

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
      public void store(int from, int count, int[] window) {
        System.arraycopy(window, 0, values, from, count);
      }

      @Override
      public void store(int from, int count, long[] window) {
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
      public void store(int from, int count, int[] window) {
        throw new IllegalStateException("a stream of %s is wide".formatted(kind));
      }

      @Override
      public void store(int from, int count, long[] window) {
        System.arraycopy(window, 0, values, from, count);
      }

      @Override
      public void readRaw(ByteBuffer source, int count) {
        source.asLongBuffer().get(values, 0, count);
        source.position(source.position() + count * Long.BYTES);
      }
    };
  }
}
