package io.drayage.columnar.kernel;

import java.util.Arrays;

/**
 * Numbers distinct values in the order of their first occurrence. Reused; not thread-safe.
 *
 * <p>Open addressing over 16-bit numbers, at most 64,511: thousands of values and their slots stay
 * in the nearest cache.
 */
public final class LongDictionary {
  private static final int MIN_SLOTS = 1 << 10;
  private static final int HASH_SHIFT = 36;

  /** Slots are cleared one by one if there are fewer values than one in so many slots. */
  private static final int FEW = 64;

  /** The number of a value plus 1; 0 for a free slot. The length is a power of two. */
  private char[] slots = new char[MIN_SLOTS];

  private long[] values = new long[MIN_SLOTS / 2];
  private int size;

  /** Spreads values evenly over the low bits. */
  public static int hash(long value) {
    return (int) (((value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L) >>> HASH_SHIFT);
  }

  /** Removes all values, but keeps the slots. For few values, only few slots are accessed. */
  public void clear() {
    if (size < slots.length / FEW) {
      int mask = slots.length - 1;
      for (int i = 0; i < size; i++) {
        // All used slots from its own on. If its own is free already, they were cleared before.
        for (int slot = hash(values[i]) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
          slots[slot] = 0;
        }
      }
    } else {
      Arrays.fill(slots, (char) 0);
    }
    size = 0;
  }

  public int size() {
    return size;
  }

  /** The values in the order of their numbers. */
  public long[] values() {
    return values;
  }

  /** Writes the numbers of at most a mini-block of values, all of which may be new. */
  public void codes(long[] window, int count, int[] to, int at) {
    ensureLength(count);
    char[] table = slots;
    long[] known = values;
    int mask = table.length - 1;
    for (int i = 0; i < count; i++) {
      long value = window[i];
      int slot = hash(value) & mask;
      int code = table[slot];
      while (code != 0 && known[code - 1] != value) {
        slot = (slot + 1) & mask;
        code = table[slot];
      }
      if (code == 0) {
        known[size] = value;
        code = ++size;
        table[slot] = (char) code;
      }
      to[at + i] = code - 1;
    }
  }

  /** Keeps at most half of the slots in use. */
  private void ensureLength(int more) {
    int needed = size + more;
    if (needed > values.length) {
      values = Arrays.copyOf(values, 2 * needed);
    }
    int slotCount = slots.length;
    while (needed > slotCount >> 1) {
      slotCount <<= 1;
    }
    if (slotCount > slots.length) {
      slots = new char[slotCount];
      int mask = slotCount - 1;
      for (int i = 0; i < size; i++) {
        int slot = hash(values[i]) & mask;
        while (slots[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = (char) (i + 1);
      }
    }
  }
}
