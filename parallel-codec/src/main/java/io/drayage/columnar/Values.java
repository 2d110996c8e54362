package io.drayage.columnar;

import java.nio.ByteBuffer;

/** The values of a stream that is to be written, handed out in windows. For one thread. */
interface Values {
  int count();

  /** What they are; {@link #load(int, int, int[])} if they are not wide, else the other. */
  Kind kind();

  /** Copies values {@code from} to {@code from + count - 1} to the start of {@code window}. */
  void load(int from, int count, int[] window);

  /** As the other. */
  void load(int from, int count, long[] window);

  /** Bytes of a value as it is. */
  default int rawWidth() {
    return kind().bytes();
  }

  /** Writes all values as they are, {@link #rawWidth} bytes each. */
  void writeRaw(ByteBuffer target);

  /** Values in an array, which may be longer. */
  static Values of(Kind kind, int[] values, int count) {
    return new Values() {
      @Override
      public int count() {
        return count;
      }

      @Override
      public Kind kind() {
        return kind;
      }

      @Override
      public void load(int from, int number, int[] window) {
        System.arraycopy(values, from, window, 0, number);
      }

      @Override
      public void load(int from, int number, long[] window) {
        throw new IllegalStateException("a stream of %s is not wide".formatted(kind));
      }

      @Override
      public void writeRaw(ByteBuffer target) {
        target.asIntBuffer().put(values, 0, count);
        target.position(target.position() + count * Integer.BYTES);
      }
    };
  }

  /** Wide values in an array, which may be longer. */
  static Values of(Kind kind, long[] values, int count) {
    return new Values() {
      @Override
      public int count() {
        return count;
      }

      @Override
      public Kind kind() {
        return kind;
      }

      @Override
      public void load(int from, int number, int[] window) {
        throw new IllegalStateException("a stream of %s is wide".formatted(kind));
      }

      @Override
      public void load(int from, int number, long[] window) {
        System.arraycopy(values, from, window, 0, number);
      }

      @Override
      public void writeRaw(ByteBuffer target) {
        target.asLongBuffer().put(values, 0, count);
        target.position(target.position() + count * Long.BYTES);
      }
    };
  }
}
