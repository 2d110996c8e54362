package io.drayage.columnar.kernel;

/**
 * Packs any number of integers one behind the other, lowest bits first, into words of 32 bits: what
 * is too little for {@link BitPacking}. Values above 32 bits are packed as their lower halves and,
 * behind these, their upper halves.
 */
public final class Bitstream {
  private Bitstream() {}

  /** The words that {@code count} values of 0 to 64 bits take. */
  public static int words(int count, int width) {
    return width <= Integer.SIZE
        ? narrowWords(count, width)
        : count + narrowWords(count, width - Integer.SIZE);
  }

  private static int narrowWords(int count, int width) {
    return (int) (((long) count * width + 31) >>> 5);
  }

  /**
   * Packs the low {@code width} bits of values.
   *
   * @param width 0 to 32
   * @param to the first word to be written
   */
  public static void pack(int[] values, int count, int width, int[] words, int to) {
    long mask = (1L << width) - 1;
    long open = 0;
    int bits = 0;
    int next = to;
    for (int i = 0; i < count; i++) {
      open |= (values[i] & mask) << bits;
      bits += width;
      if (bits >= Integer.SIZE) {
        words[next++] = (int) open;
        open >>>= Integer.SIZE;
        bits -= Integer.SIZE;
      }
    }
    if (bits > 0) {
      words[next] = (int) open;
    }
  }

  /** Reverses {@link #pack}. */
  public static void unpack(int[] words, int from, int count, int width, int[] values) {
    long mask = (1L << width) - 1;
    long open = 0;
    int bits = 0;
    int next = from;
    for (int i = 0; i < count; i++) {
      if (bits < width) {
        open |= (words[next++] & 0xFFFFFFFFL) << bits;
        bits += Integer.SIZE;
      }
      values[i] = (int) (open & mask);
      open >>>= width;
      bits -= width;
    }
  }
}
