package io.drayage.columnar;

/** Flags of 0 or 1, one an int so that loops over them become vectors, as words of bits. */
final class Flags {
  private Flags() {}

  /**
   * Turns flags into bits.
   *
   * @param flags with room for a multiple of 64; those behind {@code count} are cleared
   * @param at where the first word goes
   * @return the number of words
   */
  static int words(int[] flags, int count, long[] words, int at) {
    int wordCount = BitsWriter.words(count);
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
