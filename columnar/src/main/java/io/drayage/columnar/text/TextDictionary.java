package io.drayage.columnar.text;

import java.util.Arrays;

/**
 * Collects the different texts of a segment, in the order in which they first stand there, and
 * gives each text its number: open addressing over a hash of the bytes.
 *
 * <p>It gives up as soon as it is clear that texts do not repeat enough. How many different ones
 * there will be is estimated from the repetitions so far: of {@code n} draws out of {@code d}
 * equally frequent ones, about {@code n^2 / 2d} repeat. Not thread-safe.
 */
final class TextDictionary {
  /** The first look at the repetitions; further ones at each doubling. */
  private static final int FIRST_LOOK = 1_024;

  /** A dictionary needs texts that stand there at least so often, on average. */
  private static final double LEAST_REPETITION = 3;

  /** Texts with equal hashes are searched one after the other, but not for ever. */
  private static final int MAX_PROBES_PER_TEXT = 8;

  /** After a text that equals the one before it, so many more are first compared like that. */
  private static final int RUN_MEMORY = 4;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int HASH_ROTATION = 29;
  private static final int FIRST_SLOTS = 1 << 10;
  private static final int GROWTH = 4;

  /** The hash of the text in each place, above its number plus 1; 0 for none. */
  private long[] slots = new long[FIRST_SLOTS];

  /** The places before the last growth. */
  private long[] spare = new long[0];

  /** The number of places in use, a power of two, less 1. */
  private int mask;

  private int[] firstRows = new int[1 << 9];
  private int[] codes = new int[0];
  private int entryCount;
  private long probes;

  /** The row in which each of the different texts stands first. */
  int[] firstRows() {
    return firstRows;
  }

  /** The number of the text in each row. */
  int[] codes() {
    return codes;
  }

  /**
   * Numbers texts.
   *
   * @return how many different ones there are, or -1 if there are too many
   */
  int build(Texts texts) {
    Arrays.fill(slots, 0, FIRST_SLOTS, 0);
    mask = FIRST_SLOTS - 1;
    entryCount = 0;
    probes = 0;
    int count = texts.count();
    codes = Texts.atLeast(codes, count);
    for (int done = 0; done < count; ) {
      int next = (int) Math.min(count, Math.max(FIRST_LOOK, 2L * done));
      number(texts, done, next);
      if (isHopeless(next, count)) {
        return -1;
      }
      done = next;
    }
    return entryCount;
  }

  private void number(Texts texts, int from, int to) {
    byte[] bytes = texts.bytes();
    int[] starts = texts.starts();
    int runs = 0;
    int last = -1;
    for (int row = from; row < to; row++) {
      int start = starts[row];
      int length = starts[row + 1] - start;
      if (runs == 0 || !isSame(texts, row - 1, start, length)) {
        int hash = hash(bytes, start, length);
        long slot = slots[hash & mask];
        int code = (int) slot - 1;
        boolean isGuess = slot != 0 && (int) (slot >>> Integer.SIZE) == hash;
        boolean isFound = isGuess && isSame(texts, firstRows[code], start, length);
        code = isFound ? code : find(texts, row, hash);
        // Comparing with the text before pays only where texts came in runs lately.
        runs = code == last ? RUN_MEMORY : Math.max(0, runs - 1);
        last = code;
      }
      codes[row] = last;
    }
  }

  /**
   * Of the first and the last eight bytes, or all if there are fewer, and of those between: up to
   * 16 bytes without a branch, since lengths are hard to predict for the processor.
   */
  private static int hash(byte[] bytes, int start, int length) {
    int last = start + Math.max(0, length - Long.BYTES);
    long hash = product(first(Texts.word(bytes, start), length)) + length;
    for (int at = start + Long.BYTES; at < last; at += Long.BYTES) {
      hash = Long.rotateLeft(hash, HASH_ROTATION) + product(Texts.word(bytes, at));
    }
    hash = Long.rotateLeft(hash, HASH_ROTATION) + product(first(Texts.word(bytes, last), length));
    return (int) ((hash * GOLDEN) >>> Integer.SIZE);
  }

  /** A word of a text without what is behind the text, if it is shorter. */
  private static long first(long word, int length) {
    int unused = Math.max(0, Long.SIZE - Byte.SIZE * length);
    int half = unused >>> 1; // All bits cannot be shifted out at once.
    return word << half << (unused - half);
  }

  /** The high bits of a factor change little of a product: they are added to the low ones. */
  private static long product(long word) {
    return (word ^ (word >>> Integer.SIZE)) * GOLDEN;
  }

  private static boolean isSame(Texts texts, int row, int start, int length) {
    int other = texts.starts()[row];
    if (texts.starts()[row + 1] - other != length) {
      return false;
    }
    byte[] bytes = texts.bytes();
    int last = Math.max(0, length - Long.BYTES);
    long different =
        first(
            (Texts.word(bytes, start) ^ Texts.word(bytes, other))
                | (Texts.word(bytes, start + last) ^ Texts.word(bytes, other + last)),
            length);
    for (int done = Long.BYTES; done < last && different == 0; done += Long.BYTES) {
      different = Texts.word(bytes, start + done) ^ Texts.word(bytes, other + done);
    }
    return different == 0;
  }

  private boolean isHopeless(int seen, int count) {
    if (probes > (long) MAX_PROBES_PER_TEXT * seen) {
      return true;
    }
    double expected = seen == count ? entryCount : expected(seen, count);
    return expected * LEAST_REPETITION > count;
  }

  /** An estimate of the number of different texts, from the texts so far. */
  private double expected(int seen, int count) {
    double different = (double) seen * seen / (2.0 * Math.max(1, seen - entryCount));
    double drawn = different * (1 - StrictMath.exp(-count / different));
    return Math.min(drawn, entryCount * (double) count / seen);
  }

  private int find(Texts texts, int row, int hash) {
    int start = texts.starts()[row];
    int length = texts.starts()[row + 1] - start;
    int at = hash & mask;
    for (long slot = slots[at]; slot != 0; slot = slots[at]) {
      int code = (int) slot - 1;
      if ((int) (slot >>> Integer.SIZE) == hash && isSame(texts, firstRows[code], start, length)) {
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
}
