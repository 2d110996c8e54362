package io.drayage.columnar.bit;

import io.drayage.columnar.kernel.Bits;

/**
 * What is counted of a set of bits before it is written.
 *
 * @param bits all
 * @param set how many are set
 * @param runs how often a bit is not the one before; the first counts
 */
record BitCounts(int bits, int set, int runs) {
  static BitCounts of(long[] words, int bits) {
    int set = 0;
    int runs = 1;
    long before = words[0] & 1;
    for (int w = 0; w < Bits.words(bits); w++) {
      set += Long.bitCount(words[w]);
      runs += Long.bitCount(changes(words[w], before, w, bits));
      before = words[w] >>> (Long.SIZE - 1);
    }
    return new BitCounts(bits, set, runs);
  }

  /** The bits of word {@code w} that differ from the one before. */
  static long changes(long word, long before, int w, int bits) {
    long mask = w == Bits.words(bits) - 1 ? -1L >>> -bits : -1L;
    return (word ^ (word << 1 | before)) & mask;
  }
}
