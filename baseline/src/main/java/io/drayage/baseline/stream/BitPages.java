package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/** The words of a bit set in pages of {@link RowBits#WORDS_PER_PAGE}, as they are on the wire. */
public final class BitPages {
  private BitPages() {}

  /** Returns the number of pages of a set of {@code size} bits. */
  public static int count(long size) {
    return (int) ((wordCount(size) + RowBits.WORDS_PER_PAGE - 1) / RowBits.WORDS_PER_PAGE);
  }

  /** Returns the number of words in one of the pages. */
  public static int words(long size, int page) {
    return (int) Math.min(RowBits.WORDS_PER_PAGE, wordCount(size) - firstWord(page));
  }

  private static long wordCount(long size) {
    return (size + 63) >>> 6;
  }

  private static long firstWord(int page) {
    return (long) page * RowBits.WORDS_PER_PAGE;
  }

  /** Returns a copy of one page. */
  public static long[] of(RowBits bits, int page) {
    long[] words = new long[words(bits.size(), page)];
    for (int w = 0; w < words.length; w++) {
      words[w] = bits.word(firstWord(page) + w);
    }
    return words;
  }

  /** Puts one page into its place. */
  public static void put(long[] words, RowBits bits, int page) {
    for (int w = 0; w < words.length; w++) {
      bits.setWord(firstWord(page) + w, words[w]);
    }
  }

  /**
   * Allocates a new set, and charges its memory before.
   *
   * @param size as a stream states it; may be anything
   */
  public static RowBits allocate(long size, MemoryAccount memory) throws ShipmentException {
    if (size < 0 || size > ColumnValues.MAX_ROWS) {
      throw new ShipmentException(
          Fault.LIMIT,
          format("a bit set of %,d rows is outside 0 to %,d", size, ColumnValues.MAX_ROWS));
    }
    for (int page = 0; page < count(size); page++) {
      memory.charge(words(size, page), Long.BYTES);
    }
    return new RowBits(size);
  }
}
