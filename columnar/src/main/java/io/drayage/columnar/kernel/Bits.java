package io.drayage.columnar.kernel;

/** Bit widths, and sets of bits in words of 64. */
public final class Bits {
  private static final int WORD_MASK = Long.SIZE - 1;

  private Bits() {}

  /** How many bits an unsigned value takes. */
  public static int width(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }

  /** How many words so many bits take. */
  public static int words(int bits) {
    return (bits + WORD_MASK) >>> 6;
  }

  /** How many bits of the first {@code wordCount} words are set. */
  public static int count(long[] words, int wordCount) {
    int count = 0;
    for (int w = 0; w < wordCount; w++) {
      count += Long.bitCount(words[w]);
    }
    return count;
  }

  /**
   * Turns flags of 0 or 1, one an {@code int} so that loops over them vectorise, into bits.
   *
   * @param flags has a multiple of 64 elements; those behind {@code count} are cleared
   * @param at where the first word goes
   * @return the number of words
   */
  public static int ofFlags(int[] flags, int count, long[] words, int at) {
    int wordCount = words(count);
    for (int i = count; i < wordCount << 6; i++) {
      flags[i] = 0;
    }
    for (int w = 0; w < wordCount; w++) {
      long word = 0;
      int from = w << 6;
      for (int b = 0; b < Long.SIZE; b++) {
        word |= (long) flags[from + b] << b;
      }
      words[at + w] = word;
    }
    return wordCount;
  }
}
