package io.drayage.columnar.stream;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Values of 64 bits in an array, which may be longer than {@code count}. */
public final class LongArray implements Values, ValueSink {
  private final Kind kind;
  private final long[] values;
  private final int count;

  /**
   * @param values are not copied
   */
  public LongArray(Kind kind, long[] values, int count) {
    this.kind = kind;
    this.values = values;
    this.count = count;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public int rawWidth() {
    return Long.BYTES;
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

  @Override
  public void store(int from, int number, long[] window, int at) {
    System.arraycopy(window, at, values, from, number);
  }

  @Override
  public void storeRaw(int from, int number, ByteBuffer source) {
    source.asLongBuffer().get(values, from, number);
  }

  @Override
  public void readRaw(ByteBuffer source, int number) {
    storeRaw(0, number, source);
    source.position(source.position() + number * Long.BYTES);
  }

  @Override
  public void copy(int from, int to, int number) {
    System.arraycopy(values, from, values, to, number);
  }
}
