package io.drayage.columnar.kernel;

/** Bit widths, and sets of bits in words of 64. */
public final class Bits {
  /** Bits in a word. */
  public static final int WORD = 64;

  private static final int WORD_MASK = WORD - 1;

  /** A mini-block of flags is folded into a quarter. */
  private static final int FOLD = MiniBlock.VALUES / 4;

  private Bits() {}

  /** Number of bits of an unsigned value. */
  public static int width(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }

  /** Number of words for so many bits. */
  public static int words(int bits) {
    return (bits + WORD_MASK) >>> 6;
  }

  /** Number of set bits in the first {@code wordCount} words. */
  public static int count(long[] words, int wordCount) {
    int count = 0;
    for (int w = 0; w < wordCount; w++) {
      count += Long.bitCount(words[w]);
    }
    return count;
  }

  /**
   * Converts flags of 0 or 1, one an {@code int} so that loops over them vectorise, into bits.
   *
   * @param flags has a multiple of 64 elements; overwritten
   * @param at the index of the first word
   * @return number of words
   */
  public static int ofFlags(int[] flags, int count, long[] words, int at) {
    int wordCount = words(count);
    for (int i = count; i < wordCount << 6; i++) {
      flags[i] = 0;
    }
    if (wordCount << 6 == MiniBlock.VALUES) {
      fold(flags);
      for (int w = 0; w < FOLD / WORD; w++) {
        unfold(flags, w << 6, words, at + w);
      }
      return wordCount;
    }
    for (int w = 0; w < wordCount; w++) {
      long word = 0;
      int from = w << 6;
      for (int b = 0; b < WORD; b++) {
        word |= (long) flags[from + b] << b;
      }
      words[at + w] = word;
    }
    return wordCount;
  }

  /** Puts four flags into the bytes of an int, by vectors. */
  private static void fold(int[] flags) {
    for (int i = 0; i < FOLD; i++) {
      flags[i] = flags[i] | (flags[i + 256] << 8) | (flags[i + 512] << 16) | (flags[i + 768] << 24);
    }
  }

  /** Writes every fourth word, from {@code at} on, of the bits of 64 folded flags. */
  private static void unfold(int[] folded, int from, long[] to, int at) {
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 8) {
      int i = from + shift;
      int bits =
          folded[i]
              | (folded[i + 1] << 1)
              | (folded[i + 2] << 2)
              | (folded[i + 3] << 3)
              | (folded[i + 4] << 4)
              | (folded[i + 5] << 5)
              | (folded[i + 6] << 6)
              | (folded[i + 7] << 7);
      a |= (bits & 0xFFL) << shift;
      b |= ((bits >>> 8) & 0xFFL) << shift;
      c |= ((bits >>> 16) & 0xFFL) << shift;
      d |= ((bits >>> 24) & 0xFFL) << shift;
    }
    to[at] = a;
    to[at + 4] = b;
    to[at + 8] = c;
    to[at + 12] = d;
  }
}
