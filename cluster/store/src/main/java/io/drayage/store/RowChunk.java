package io.drayage.store;

import java.util.Arrays;

/**
 * The rows of a {@link RowSet} in a range of 65,536, as runs or as bits, whichever is smaller.
 * Never empty. Immutable: the arrays are not changed.
 */
sealed interface RowChunk {
  /** The range of a chunk. */
  int ROWS = 1 << 16;

  /** The length of a chunk as a bit set. */
  int WORDS = ROWS / Long.SIZE;

  /** Adds its rows to a bit set of {@link #WORDS}. */
  void addTo(long[] words);

  boolean contains(int row);

  /** The number of rows. */
  int count();

  /** Approximate memory use. */
  int bytes();

  /** The smaller form of the rows in {@code words}, which are not empty. */
  static RowChunk of(long[] words) {
    int runs = 0;
    long before = 0;
    for (long word : words) {
      // A run begins where a bit is set and the one before it is not.
      runs += Long.bitCount(word & ~((word << 1) | (before >>> 63)));
      before = word;
    }
    return runs * 2 * Character.BYTES < WORDS * Long.BYTES
        ? runs(words, runs)
        : new Dense(words.clone());
  }

  private static RowChunk runs(long[] words, int count) {
    char[] bounds = new char[2 * count];
    int at = 0;
    int row = next(words, 0, 0L);
    while (row < ROWS) {
      int end = next(words, row, -1L);
      bounds[at++] = (char) row;
      bounds[at++] = (char) (end - 1);
      row = next(words, end, 0L);
    }
    return new Runs(bounds);
  }

  /** The first row from {@code from} on whose bit is set in {@code word ^ flip}, or ROWS. */
  private static int next(long[] words, int from, long flip) {
    if (from >= ROWS) {
      return ROWS;
    }
    int w = from >>> 6;
    long word = (words[w] ^ flip) & (-1L << from);
    while (word == 0) {
      if (++w == WORDS) {
        return ROWS;
      }
      word = words[w] ^ flip;
    }
    return w * Long.SIZE + Long.numberOfTrailingZeros(word);
  }

  /** First and last row of each run, ascending. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared, and confined to RowSet.
  record Runs(char[] bounds) implements RowChunk {
    @Override
    public void addTo(long[] words) {
      for (int i = 0; i < bounds.length; i += 2) {
        addRun(words, bounds[i], bounds[i + 1]);
      }
    }

    private static void addRun(long[] words, int first, int last) {
      int firstWord = first >>> 6;
      int lastWord = last >>> 6;
      long head = -1L << first;
      long tail = -1L >>> (63 - (last & 63));
      if (firstWord == lastWord) {
        words[firstWord] |= head & tail;
        return;
      }
      words[firstWord] |= head;
      Arrays.fill(words, firstWord + 1, lastWord, -1L);
      words[lastWord] |= tail;
    }

    @Override
    public boolean contains(int row) {
      int low = 0;
      int high = bounds.length / 2 - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (row < bounds[2 * middle]) {
          high = middle - 1;
        } else if (row > bounds[2 * middle + 1]) {
          low = middle + 1;
        } else {
          return true;
        }
      }
      return false;
    }

    @Override
    public int count() {
      int count = 0;
      for (int i = 0; i < bounds.length; i += 2) {
        count += bounds[i + 1] - bounds[i] + 1;
      }
      return count;
    }

    @Override
    public int bytes() {
      return bounds.length * Character.BYTES;
    }
  }

  /** A bit for each row. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared, and confined to RowSet.
  record Dense(long[] bits) implements RowChunk {
    @Override
    public void addTo(long[] words) {
      for (int w = 0; w < WORDS; w++) {
        words[w] |= bits[w];
      }
    }

    @Override
    public boolean contains(int row) {
      return (bits[row >>> 6] >>> row & 1) != 0;
    }

    @Override
    public int count() {
      int count = 0;
      for (long word : bits) {
        count += Long.bitCount(word);
      }
      return count;
    }

    @Override
    public int bytes() {
      return WORDS * Long.BYTES;
    }
  }
}
