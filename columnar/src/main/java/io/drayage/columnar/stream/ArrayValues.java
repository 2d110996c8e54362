package io.drayage.columnar.stream;

import java.nio.ByteBuffer;

/** Values in an array, which may be longer than {@code count} and is not copied. */
public final class ArrayValues implements Values {
  private final Kind kind;
  private final Object array;
  private final int count;

  /** Creates values that are not wide. */
  public ArrayValues(Kind kind, int[] values, int count) {
    this.kind = kind;
    this.array = values;
    this.count = count;
  }

  /** Creates wide values. */
  public ArrayValues(Kind kind, long[] values, int count) {
    this.kind = kind;
    this.array = values;
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
  public void load(int from, int number, Object window, int at) {
    Windows.load(array, from, number, window, at);
  }

  @Override
  public boolean isPlain() {
    return true;
  }

  @Override
  public long at(int index) {
    return Windows.at(array, index);
  }

  @Override
  public int matchEnd(int from, int distance) {
    int first = Windows.mismatch(array, from, array, from - distance, count - from);
    return first < 0 ? count : from + first;
  }

  @Override
  public void copyRaw(int from, int number, ByteBuffer target) {
    if (array instanceof int[] ints) {
      target.asIntBuffer().put(ints, from, number);
    } else {
      target.asLongBuffer().put((long[]) array, from, number);
    }
    target.position(target.position() + number * rawWidth());
  }

  @Override
  public void store(int from, int number, Object window, int at) {
    Windows.store(window, at, number, array, from);
  }

  @Override
  public void storeRaw(int from, int number, ByteBuffer source) {
    if (array instanceof int[] ints) {
      source.asIntBuffer().get(ints, from, number);
    } else {
      source.asLongBuffer().get((long[]) array, from, number);
    }
    source.position(source.position() + number * rawWidth());
  }

  @Override
  public void copy(int from, int to, int number) {
    System.arraycopy(array, from, array, to, number);
  }
}
