package io.drayage.columnar.text;

import java.util.Arrays;

/**
 * Collects the distinct texts of a segment, in the order of their first rows, and gives each text
 * its number. Uses open addressing over a hash of the bytes.
 *
 * <p>Gives up as soon as it is clear that texts do not repeat enough. The number of distinct texts
 * is estimated from the repetitions so far: of {@code n} draws out of {@code d} equally frequent
 * texts, about {@code n^2 / 2d} repeat. Not thread-safe.
 */
final class TextDictionary {
  /** Number of texts before the first check of the repetitions; further checks at each doubling. */
  private static final int FIRST_LOOK = 1_024;

  /** Minimum average number of repetitions of a text in a dictionary. */
  private static final double LEAST_REPETITION = 3;

  /** Maximum average probes per text, as texts with equal hashes are searched sequentially. */
  private static final int MAX_PROBES_PER_TEXT = 8;

  /** After a text that equals its predecessor, so many more are first compared with theirs. */
  private static final int RUN_MEMORY = 4;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int HASH_ROTATION = 29;
  private static final int FIRST_SLOTS = 1 << 10;
  private static final int GROWTH = 4;

  /** The hash of the text in each slot, above its number plus 1; 0 for an empty slot. */
  private long[] slots = new long[FIRST_SLOTS];

  /** The slots before the last growth. */
  private long[] spare = new long[0];

  /** Number of slots in use, a power of two, minus 1. */
  private int mask;

  private int[] firstRows = new int[1 << 9];
  private int[] codes = new int[0];
  private int entryCount;
  private long probes;

  /** The first row of each distinct text. */
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
   * @return number of distinct texts, or -1 if there are too many
   */
  int build(TextSequence texts) {
    Arrays.fill(slots, 0, FIRST_SLOTS, 0);
    mask = FIRST_SLOTS - 1;
    entryCount = 0;
    probes = 0;
    int count = texts.count();
    codes = TextSequence.atLeast(codes, count);
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

  private void number(TextSequence texts, int from, int to) {
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
        // A comparison with the text before pays only if texts recently came in runs.
        runs = code == last ? RUN_MEMORY : Math.max(0, runs - 1);
        last = code;
      }
      codes[row] = last;
    }
  }

  /**
   * Returns a hash of the first and the last eight bytes, or of all bytes if there are fewer, and
   * of the bytes between. Up to 16 bytes need no branch, because a CPU predicts lengths badly.
   */
  private static int hash(byte[] bytes, int start, int length) {
    int last = start + Math.max(0, length - Long.BYTES);
    long hash = product(first(TextSequence.word(bytes, start), length)) + length;
    for (int at = start + Long.BYTES; at < last; at += Long.BYTES) {
      hash = Long.rotateLeft(hash, HASH_ROTATION) + product(TextSequence.word(bytes, at));
    }
    hash =
        Long.rotateLeft(hash, HASH_ROTATION)
            + product(first(TextSequence.word(bytes, last), length));
    return (int) ((hash * GOLDEN) >>> Integer.SIZE);
  }

  /** Returns the first word of a text, without the bytes after the text if the text is shorter. */
  private static long first(long word, int length) {
    int unused = Math.max(0, Long.SIZE - Byte.SIZE * length);
    int half = unused >>> 1; // All bits cannot be shifted out at once.
    return word << half << (unused - half);
  }

  /** Multiplies. The high bits of a factor change little: they are added to the low bits. */
  private static long product(long word) {
    return (word ^ (word >>> Integer.SIZE)) * GOLDEN;
  }

  private static boolean isSame(TextSequence texts, int row, int start, int length) {
    int other = texts.starts()[row];
    if (texts.starts()[row + 1] - other != length) {
      return false;
    }
    byte[] bytes = texts.bytes();
    int last = Math.max(0, length - Long.BYTES);
    long different =
        first(
            (TextSequence.word(bytes, start) ^ TextSequence.word(bytes, other))
                | (TextSequence.word(bytes, start + last) ^ TextSequence.word(bytes, other + last)),
            length);
    for (int done = Long.BYTES; done < last && different == 0; done += Long.BYTES) {
      different = TextSequence.word(bytes, start + done) ^ TextSequence.word(bytes, other + done);
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

  /** Estimates the number of distinct texts from the texts so far. */
  private double expected(int seen, int count) {
    double different = (double) seen * seen / (2.0 * Math.max(1, seen - entryCount));
    double drawn = different * (1 - StrictMath.exp(-count / different));
    return Math.min(drawn, entryCount * (double) count / seen);
  }

  private int find(TextSequence texts, int row, int hash) {
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
