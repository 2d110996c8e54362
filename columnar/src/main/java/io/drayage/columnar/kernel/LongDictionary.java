package io.drayage.columnar.kernel;

import java.util.Arrays;

/**
 * Numbers different values in the order in which they come. Reused; not thread-safe.
 *
 * <p>Open addressing over numbers of 16 bits, of which there may be 64,511: thousands of values and
 * their slots stay in the nearest cache.
 */
public final class LongDictionary {
  private static final int MIN_SLOTS = 1 << 10;
  private static final int HASH_SHIFT = 36;

  /** With fewer values than one for so many slots, slots are cleared one by one. */
  private static final int FEW = 64;

  /** The number of a value, and 1; 0 for a free slot. A power of two. */
  private char[] slots = new char[MIN_SLOTS];

  private long[] values = new long[MIN_SLOTS / 2];
  private int size;

  /** Spreads values evenly over the low bits. */
  public static int hash(long value) {
    return (int) (((value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L) >>> HASH_SHIFT);
  }

  /**
   * Forgets all values. The slots stay as many as they were, but only few are touched for a few.
   */
  public void clear() {
    if (size < slots.length / FEW) {
      int mask = slots.length - 1;
      for (int i = 0; i < size; i++) {
        // All slots in use from its own on. If that is free already, they were cleared with it.
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

  /** The numbers of values, new or not: at most a mini-block, of which all may be new. */
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
