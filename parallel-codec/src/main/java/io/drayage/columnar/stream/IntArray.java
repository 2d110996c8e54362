package io.drayage.columnar.stream;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Values of 32 bits in an array, which may be longer than {@code count}. */
public final class IntArray implements Values, ValueSink {
  private final Kind kind;
  private final int[] values;
  private final int count;

  /**
   * @param values are not copied
   */
  public IntArray(Kind kind, int[] values, int count) {
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
    return Integer.BYTES;
  }

  @Override
  public void load(int from, int number, int[] window) {
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
    target.asIntBuffer().put(values, from, number);
    target.position(target.position() + number * Integer.BYTES);
  }

  @Override
  public void store(int from, int number, int[] window, int at) {
    System.arraycopy(window, at, values, from, number);
  }

  @Override
  public void storeRaw(int from, int number, ByteBuffer source) {
    source.asIntBuffer().get(values, from, number);
  }

  @Override
  public void readRaw(ByteBuffer source, int number) {
    storeRaw(0, number, source);
    source.position(source.position() + number * Integer.BYTES);
  }

  @Override
  public void copy(int from, int to, int number) {
    System.arraycopy(values, from, values, to, number);
  }
}
