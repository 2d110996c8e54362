package io.drayage.columnar;

import java.util.Arrays;

/**
 * Numbers different values in the order in which they come. For one thread, used again and again.
 */
final class LongDictionary {
  private static final int MIN_SLOTS = 1 << 10;

  private long[] keys = new long[MIN_SLOTS];

  /** The number of a key, and 1; 0 for a free slot. */
  private int[] codes = new int[MIN_SLOTS];

  private long[] values = new long[MIN_SLOTS / 2];
  private int size;

  static int hash(long value) {
    return (int) (((value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L) >>> 36);
  }

  void clear() {
    Arrays.fill(codes, 0);
    size = 0;
  }

  int size() {
    return size;
  }

  /** The values in the order of their numbers. */
  long[] values() {
    return values;
  }

  /** The number of a value, new or not. */
  int code(long value) {
    int mask = keys.length - 1;
    int slot = hash(value) & mask;
    while (codes[slot] != 0) {
      if (keys[slot] == value) {
        return codes[slot] - 1;
      }
      slot = slot + 1 & mask;
    }
    return add(value, slot);
  }

  private int add(long value, int slot) {
    keys[slot] = value;
    codes[slot] = size + 1;
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
    if (size > keys.length >> 1) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    keys = new long[2 * keys.length];
    codes = new int[keys.length];
    int mask = keys.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = hash(values[i]) & mask;
      while (codes[slot] != 0) {
        slot = slot + 1 & mask;
      }
      keys[slot] = values[i];
      codes[slot] = i + 1;
    }
  }
}
