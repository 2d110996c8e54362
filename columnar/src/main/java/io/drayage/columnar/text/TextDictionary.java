package io.drayage.columnar.text;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the different texts of a segment, in the order in which they first stand there, and
 * gives each text its number: open addressing over a hash of the low bytes of their characters.
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
  private static final int HASH_ROTATION = 29;
  private static final int FIRST_SLOTS = 1 << 10;
  private static final int GROWTH = 4;

  /** Texts that are hashed before the first of them is looked for. */
  private static final int BATCH = 64;

  /** The hash of the text in each place, above its number plus 1; 0 for none. */
  private long[] slots = new long[FIRST_SLOTS];

  /** The places before they became more. */
  private long[] spare = new long[0];

  /** How many of the places are used, less 1: a power of two. */
  private int mask;

  /** The low bytes of the characters of a batch, each text with a 0 behind it. */
  private byte[] bytes = new byte[1 << 12];

  /** Of each text of a batch, and of each of those whose bytes are taken. */
  private final int[] lengths = new int[BATCH];

  private final int[] rows = new int[BATCH];
  private final int[] ends = new int[BATCH];
  private final int[] hashes = new int[BATCH];
  private final int[] guesses = new int[BATCH];
  private int[] firstRows = new int[1 << 9];
  private int entryCount;
  private long probes;

  /** Whether many texts of the last batch were as the one before. */
  private boolean hasRuns;

  /**
   * Numbers texts.
   *
   * @param codes gets the number of each
   * @return how many different ones there are, or -1 if there are too many
   */
  int build(@Nullable String[] texts, int count, int[] codes) {
    Arrays.fill(slots, 0, FIRST_SLOTS, 0);
    mask = FIRST_SLOTS - 1;
    entryCount = 0;
    probes = 0;
    hasRuns = false;
    for (int done = 0; done < count; ) {
      int next = (int) Math.min(count, Math.max(FIRST_LOOK, 2L * done));
      for (int from = done; from < next; from += BATCH) {
        number(texts, from, Math.min(BATCH, next - from), codes);
      }
      if (isHopeless(next, count)) {
        return -1;
      }
      done = next;
    }
    return entryCount;
  }

  /**
   * Numbers a batch: first all hashes, then which text stands in the place of each, then whether it
   * is that. Hardly a step of these loops waits for another, so that the processor fetches many
   * objects at once.
   */
  private void number(@Nullable String[] texts, int from, int count, int[] codes) {
    int taken = takeBytes(texts, from, count);
    int at = 0;
    for (int i = 0; i < taken; i++) {
      hashes[i] = hash(bytes, at, ends[i] - at);
      at = ends[i];
    }
    for (int i = 0; i < taken; i++) {
      long slot = slots[hashes[i] & mask];
      guesses[i] = (int) (slot >>> Integer.SIZE) == hashes[i] ? (int) slot - 1 : -1;
    }
    int code = -1;
    int next = 0;
    int repeated = 0;
    for (int row = from; row < from + count; row++) {
      if (next < taken && rows[next] == row) {
        int guess = guesses[next];
        if (guess < 0 || !Objects.equals(texts[row], texts[firstRows[guess]])) {
          guess = find(texts, row, hashes[next]);
        }
        repeated += guess == code ? 1 : 0;
        code = guess;
        next++;
      }
      codes[row] = code;
    }
    hasRuns = repeated + count - taken > count / 4;
  }

  /** Takes the low bytes of a batch's texts; where there are runs, of the first of each alone. */
  @SuppressWarnings("deprecation") // Low bytes are all that a hash needs.
  private int takeBytes(@Nullable String[] texts, int from, int count) {
    int most = TextBytes.SLACK;
    for (int i = 0; i < count; i++) {
      String text = texts[from + i];
      lengths[i] = text == null ? 0 : text.length();
      most = Math.addExact(most, lengths[i] + 1);
    }
    if (bytes.length < most) {
      bytes = new byte[Math.max(most, bytes.length + bytes.length / 2)];
    }
    int taken = 0;
    int at = 0;
    for (int i = 0; i < count; i++) {
      String text = texts[from + i];
      int length = lengths[i];
      if (hasRuns && i > 0 && Objects.equals(text, texts[from + i - 1])) {
        continue;
      }
      if (text != null) {
        text.getBytes(0, length, bytes, at);
      }
      at += length;
      bytes[at++] = 0;
      ends[taken] = at;
      rows[taken++] = from + i;
    }
    return taken;
  }

  /**
   * The hash of some bytes, at least one: of the first and the last eight, or all if there are
   * fewer, and of those between.
   */
  private static int hash(byte[] bytes, int start, int length) {
    int unused = Math.max(0, Long.SIZE - Byte.SIZE * length);
    int last = start + Math.max(0, length - Long.BYTES);
    long hash = product(word(bytes, start) << unused) + length;
    for (int at = start + Long.BYTES; at < last; at += Long.BYTES) {
      hash = Long.rotateLeft(hash, HASH_ROTATION) + product(word(bytes, at));
    }
    hash = Long.rotateLeft(hash, HASH_ROTATION) + product(word(bytes, last) << unused);
    return (int) ((hash * GOLDEN) >>> Integer.SIZE);
  }

  private static long word(byte[] bytes, int at) {
    return (long) TextBytes.LONGS.get(bytes, at);
  }

  /** The high bits of a factor change little of a product: they are added to the low ones. */
  private static long product(long word) {
    return (word ^ (word >>> Integer.SIZE)) * GOLDEN;
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

  private int find(@Nullable String[] texts, int row, int hash) {
    int at = hash & mask;
    for (long slot = slots[at]; slot != 0; slot = slots[at]) {
      int code = (int) slot - 1;
      if ((int) (slot >>> Integer.SIZE) == hash
          && Objects.equals(texts[row], texts[firstRows[code]])) {
        return code;
      }
      at = (at + 1) & mask;
      probes++;
    }
    if (entryCount == firstRows.length) {
      firstRows = Arrays.copyOf(firstRows, 2 * entryCount);
    }
    firstRows[entryCount++] = row;
    slots[at] = ((long) hash << Integer.SIZE) | entryCount;
    if (entryCount * 2 > mask) {
      grow();
    }
    return entryCount - 1;
  }

  private void grow() {
    long[] old = slots;
    int oldPlaces = mask + 1;
    mask = GROWTH * oldPlaces - 1;
    slots = spare.length > mask ? spare : new long[mask + 1];
    spare = old;
    Arrays.fill(slots, 0, mask + 1, 0);
    for (int i = 0; i < oldPlaces; i++) {
      if (old[i] != 0) {
        int at = (int) (old[i] >>> Integer.SIZE) & mask;
        while (slots[at] != 0) {
          at = (at + 1) & mask;
        }
        slots[at] = old[i];
      }
    }
  }

  /**
   * The different texts: as many as {@link #build} returned.
   *
   * @param texts what was numbered
   * @param target gets them
   */
  void takeEntries(@Nullable String[] texts, @Nullable String[] target) {
    for (int code = 0; code < entryCount; code++) {
      target[code] = texts[firstRows[code]];
    }
  }
}
