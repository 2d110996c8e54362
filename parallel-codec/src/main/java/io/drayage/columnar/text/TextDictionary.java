package io.drayage.columnar.text;

import java.util.Arrays;

/**
 * Collects the different texts of a segment, in the order in which they first stand there, and
 * gives each text its number: open addressing over a hash of their {@link TextBytes}.
 *
 * <p>It gives up as soon as it is clear that texts do not repeat enough. How many different ones
 * there will be is estimated from the repetitions so far: of {@code n} draws out of {@code d}
 * equally frequent ones, about {@code n^2 / 2d} repeat. Not thread-safe.
 */
final class TextDictionary {
  /** The first look at the repetitions; further ones at each doubling. */
  private static final int FIRST_LOOK = 1_024;

  /** Texts that do not repeat more often than this on the average are no dictionary. */
  private static final double LEAST_REPETITION = 1.25;

  /** Texts with equal hashes are searched one after the other, but not for ever. */
  private static final int MAX_PROBES_PER_TEXT = 8;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private static final int FIRST_SLOTS = 1 << 10;

  /** The hash of the text in each place, above its number plus 1; 0 for none. */
  private long[] slots = new long[FIRST_SLOTS];

  /** How many of the places are used, less 1: a power of two. */
  private int mask;

  private int[] hashes = new int[1 << 9];

  private byte[] entries = new byte[1 << 12];
  private int[] entryStarts = new int[1 << 9];
  private int[] firstRows = new int[1 << 9];
  private int entryCount;
  private long probes;

  /**
   * Numbers texts.
   *
   * @param codes gets the number of each
   * @return how many different ones there are, or -1 if there are too many
   */
  int build(TextBytes texts, int count, int[] codes) {
    Arrays.fill(slots, 0, FIRST_SLOTS, 0);
    mask = FIRST_SLOTS - 1;
    entryCount = 0;
    probes = 0;
    for (int done = 0; done < count; ) {
      int next = (int) Math.min(count, Math.max(FIRST_LOOK, 2L * done));
      if (!texts.fill(next)) {
        return -1;
      }
      number(texts, done, next, codes);
      if (isHopeless(next, count)) {
        return -1;
      }
      done = next;
    }
    return entryCount;
  }

  private void number(TextBytes texts, int from, int to, int[] codes) {
    byte[] bytes = texts.bytes();
    int[] starts = texts.starts();
    int lastAt = 0;
    int lastLength = -1;
    for (int i = from; i < to; i++) {
      int at = starts[i];
      int length = starts[i + 1] - at;
      if (length == lastLength && equal(bytes, at, bytes, lastAt, length)) {
        codes[i] = codes[i - 1];
      } else {
        codes[i] = find(i, bytes, at, length);
      }
      lastAt = at;
      lastLength = length;
    }
  }

  private boolean isHopeless(int seen, int count) {
    if (probes > (long) MAX_PROBES_PER_TEXT * seen) {
      return true;
    }
    double expected = seen == count ? entryCount : expected(seen, count);
    return expected * LEAST_REPETITION > count;
  }

  /** How many different texts there will be, as far as those seen tell. */
  private double expected(int seen, int count) {
    double different = (double) seen * seen / (2.0 * Math.max(1, seen - entryCount));
    double drawn = different * (1 - StrictMath.exp(-count / different));
    return Math.min(drawn, entryCount * (double) count / seen);
  }

  private int find(int row, byte[] bytes, int start, int length) {
    int hash = hash(bytes, start, length);
    int at = hash & mask;
    for (long slot = slots[at]; slot != 0; slot = slots[at]) {
      if ((int) (slot >>> Integer.SIZE) == hash) {
        int code = (int) slot - 1;
        int entry = entryStarts[code];
        if (entryStarts[code + 1] - entry == length
            && equal(bytes, start, entries, entry, length)) {
          return code;
        }
      }
      at = (at + 1) & mask;
      probes++;
    }
    int code = add(row, bytes, start, length);
    hashes[code] = hash;
    slots[at] = slot(hash, entryCount);
    if (entryCount * 2 > mask) {
      grow();
    }
    return code;
  }

  private int add(int row, byte[] bytes, int start, int length) {
    if (entryCount + 1 == entryStarts.length) {
      entryStarts = Arrays.copyOf(entryStarts, 2 * entryStarts.length);
      firstRows = Arrays.copyOf(firstRows, 2 * firstRows.length);
      hashes = Arrays.copyOf(hashes, 2 * hashes.length);
    }
    int at = entryStarts[entryCount];
    if (at + length + TextBytes.SLACK > entries.length) {
      entries = Arrays.copyOf(entries, 2 * entries.length + length);
    }
    System.arraycopy(bytes, start, entries, at, length);
    firstRows[entryCount] = row;
    entryStarts[entryCount + 1] = at + length;
    return entryCount++;
  }

  private void grow() {
    mask = 2 * mask + 1;
    if (slots.length <= mask) {
      slots = new long[mask + 1];
    } else {
      Arrays.fill(slots, 0, mask + 1, 0);
    }
    for (int code = 0; code < entryCount; code++) {
      int at = hashes[code] & mask;
      while (slots[at] != 0) {
        at = (at + 1) & mask;
      }
      slots[at] = slot(hashes[code], code + 1);
    }
  }

  private static long slot(int hash, int number) {
    return ((long) hash << Integer.SIZE) | number;
  }

  /** Eight bytes at a time; what stands behind a text does not count. */
  private static int hash(byte[] bytes, int start, int length) {
    long hash = length;
    int at = start;
    for (int left = length; left > 0; left -= Long.BYTES) {
      long word = (long) TextBytes.LONGS.get(bytes, at);
      if (left < Long.BYTES) {
        word &= (1L << (Byte.SIZE * left)) - 1;
      }
      hash = (hash ^ word) * GOLDEN;
      hash ^= hash >>> Integer.SIZE;
      at += Long.BYTES;
    }
    hash *= GOLDEN;
    return (int) (hash >>> Integer.SIZE);
  }

  private static boolean equal(byte[] bytes, int start, byte[] others, int otherStart, int length) {
    int at = start;
    int other = otherStart;
    for (int left = length; left > 0; left -= Long.BYTES) {
      long difference =
          (long) TextBytes.LONGS.get(bytes, at) ^ (long) TextBytes.LONGS.get(others, other);
      if (left < Long.BYTES) {
        difference <<= Long.SIZE - Byte.SIZE * left;
      }
      if (difference != 0) {
        return false;
      }
      at += Long.BYTES;
      other += Long.BYTES;
    }
    return true;
  }

  /** The different texts: as many as {@link #build} returned, one behind the other. */
  byte[] entries() {
    return entries;
  }

  /** How many bytes they take. */
  int entryBytes() {
    return entryStarts[entryCount];
  }

  /** The row in which each of them first stands. */
  int[] firstRows() {
    return firstRows;
  }
}
