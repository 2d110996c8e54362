package io.drayage.columnar.text;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the different texts of a segment, in the order in which they first stand there, and
 * gives each text its number: open addressing over {@link String#hashCode}, which is specified and
 * thus the same everywhere. A null is a text like others.
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

  private static final int GOLDEN = 0x9E3779B9;

  /** The number of the text in each place, plus 1; 0 for none. A power of two. */
  private int[] slots = new int[1 << 10];

  private int[] hashes = new int[1 << 9];
  private @Nullable String[] entries = new String[1 << 9];
  private int entryCount;
  private long probes;

  /**
   * Numbers texts.
   *
   * @param codes gets the number of each
   * @return how many different ones there are, or -1 if there are too many
   */
  int build(@Nullable String[] texts, int count, int[] codes) {
    Arrays.fill(slots, 0);
    entryCount = 0;
    probes = 0;
    int nullCode = -1;
    int nextLook = FIRST_LOOK;
    for (int i = 0; i < count; i++) {
      String text = texts[i];
      if (i > 0 && Objects.equals(text, texts[i - 1])) {
        codes[i] = codes[i - 1];
      } else if (text == null) {
        nullCode = nullCode < 0 ? add(null, 0) : nullCode;
        codes[i] = nullCode;
      } else {
        codes[i] = find(text, spread(text.hashCode()));
      }
      if (i == nextLook) {
        nextLook *= 2;
        if (isHopeless(i + 1, count)) {
          return -1;
        }
      }
    }
    return isHopeless(count, count) ? -1 : entryCount;
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

  private int find(String text, int hash) {
    int mask = slots.length - 1;
    int at = hash & mask;
    for (int code = slots[at]; code != 0; code = slots[at]) {
      if (hashes[code - 1] == hash && text.equals(entries[code - 1])) {
        return code - 1;
      }
      at = (at + 1) & mask;
      probes++;
    }
    int code = add(text, hash);
    slots[at] = code + 1;
    if (entryCount * 2 > slots.length) {
      grow();
    }
    return code;
  }

  private int add(@Nullable String text, int hash) {
    if (entryCount == entries.length) {
      entries = Arrays.copyOf(entries, 2 * entryCount);
      hashes = Arrays.copyOf(hashes, 2 * entryCount);
    }
    entries[entryCount] = text;
    hashes[entryCount] = hash;
    return entryCount++;
  }

  private void grow() {
    slots = new int[2 * slots.length];
    int mask = slots.length - 1;
    for (int code = 0; code < entryCount; code++) {
      if (entries[code] == null) {
        continue;
      }
      int at = hashes[code] & mask;
      while (slots[at] != 0) {
        at = (at + 1) & mask;
      }
      slots[at] = code + 1;
    }
  }

  private static int spread(int hash) {
    int product = hash * GOLDEN;
    return product ^ product >>> 15;
  }

  /** The different texts: as many as {@link #build} returned. */
  @Nullable String[] entries() {
    return entries;
  }

  /** Forgets the texts, so that they are not kept in memory until the next segment. */
  void clear() {
    Arrays.fill(entries, 0, entryCount, null);
    entryCount = 0;
  }
}
