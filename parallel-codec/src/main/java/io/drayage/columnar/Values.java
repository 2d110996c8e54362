package io.drayage.columnar;

import java.nio.ByteBuffer;
import java.util.Arrays;

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

  /** Whether {@link #at} and {@link #matchEnd} may be asked. */
  boolean isPlain();

  /** The bits of one value. */
  long at(int index);

  /**
   * The first place, {@code from} or behind it, whose value is not the one that stands {@code
   * distance} before it; {@link #count} if there is none. NaNs are taken to be equal.
   */
  int matchEnd(int from, int distance);

  /** Writes some values as they are, {@link #rawWidth} bytes each. */
  void copyRaw(int from, int count, ByteBuffer target);

  /** Writes all values as they are, {@link #rawWidth} bytes each. */
  default void writeRaw(ByteBuffer target) {
    copyRaw(0, count(), target);
  }

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
      public boolean isPlain() {
        return true;
      }

      @Override
      public long at(int index) {
        return values[index];
      }

      @Override
      public int matchEnd(int from, int distance) {
        int first = Arrays.mismatch(values, from, count, values, from - distance, count - distance);
        return first < 0 ? count : from + first;
      }

      @Override
      public void copyRaw(int from, int number, ByteBuffer target) {
        target.asIntBuffer().put(values, from, number);
        target.position(target.position() + number * Integer.BYTES);
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
      public boolean isPlain() {
        return true;
      }

      @Override
      public long at(int index) {
        return values[index];
      }

      @Override
      public int matchEnd(int from, int distance) {
        int first = Arrays.mismatch(values, from, count, values, from - distance, count - distance);
        return first < 0 ? count : from + first;
      }

      @Override
      public void copyRaw(int from, int number, ByteBuffer target) {
        target.asLongBuffer().put(values, from, number);
        target.position(target.position() + number * Long.BYTES);
      }
    };
  }
}
