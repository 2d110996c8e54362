package io.drayage.store.edit;

import java.util.Arrays;

/**
 * Numbers rows in the order of their first appearance, from 0. A hash table of primitives with
 * linear probing. Not thread-safe.
 */
final class RowSlots {
  private static final int FIRST_CAPACITY = 16;

  /** Rows plus one; 0 marks an empty slot. */
  private long[] keys = new long[FIRST_CAPACITY];

  private int[] slots = new int[FIRST_CAPACITY];

  /** The rows in the order of their addition. */
  private long[] rows = new long[FIRST_CAPACITY];

  private int size;

  int size() {
    return size;
  }

  /** The number of a row; -1 if it was not added. */
  int find(long row) {
    int at = place(row + 1);
    return keys[at] == 0 ? -1 : slots[at];
  }

  /** Adds a new row. Its number is the previous size. */
  void add(long row) {
    if (2 * (size + 1) > keys.length) {
      grow();
    }
    int at = place(row + 1);
    keys[at] = row + 1;
    slots[at] = size;
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, 2 * size);
    }
    rows[size++] = row;
  }

  /** The rows in the order of their numbers. */
  long[] rows() {
    return Arrays.copyOf(rows, size);
  }

  private void grow() {
    if (keys.length == 1 << 30) {
      throw new IllegalStateException(
          "more than %,d cells of a column are updated one by one".formatted(size));
    }
    long[] oldKeys = keys;
    int[] oldSlots = slots;
    keys = new long[2 * oldKeys.length];
    slots = new int[2 * oldKeys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int at = place(oldKeys[i]);
        keys[at] = oldKeys[i];
        slots[at] = oldSlots[i];
      }
    }
  }

  private int place(long key) {
    int mask = keys.length - 1;
    int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (keys[at] != 0 && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }
}
