package io.drayage.cargo;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;

/**
 * A bit for each row of a table or column, in pages, so that there may be more than 2^31.
 *
 * <p>Used for the rows that a transaction deletes (a set bit is a deleted row) and for the validity
 * of a nullable column (a set bit is a value, a clear bit a null). Bit {@code r} is bit {@code r &
 * 63} of word {@code r >>> 6}; bits of the last word beyond {@link #size()} are always clear.
 *
 * <p>Not thread-safe while it is filled, except that different words may be set by different
 * threads. Do not change it once it is part of a {@link ChangeCargo}.
 */
public final class RowBits implements PartContent, Serializable {
  /** Words in a page: 65,536 bits, 8 KiB. */
  public static final int WORDS_PER_PAGE = 1024;

  @Serial private static final long serialVersionUID = 1;
  private static final int PAGE_SHIFT = 10;
  private static final int PAGE_MASK = WORDS_PER_PAGE - 1;

  private final long size;
  private final long[][] pages;

  /**
   * A set of {@code size} clear bits.
   *
   * @throws IllegalArgumentException if {@code size} is negative or above 2^40
   */
  public RowBits(long size) {
    this(size, 0L);
  }

  private RowBits(long size, long fill) {
    if (size < 0 || size > ColumnValues.MAX_ROWS) {
      throw new IllegalArgumentException(
          "%,d rows are outside 0 to %,d".formatted(size, ColumnValues.MAX_ROWS));
    }
    this.size = size;
    long words = wordCount(size);
    this.pages = new long[(int) ((words + PAGE_MASK) >>> PAGE_SHIFT)][];
    for (int p = 0; p < pages.length; p++) {
      pages[p] = new long[(int) Math.min(WORDS_PER_PAGE, words - ((long) p << PAGE_SHIFT))];
      if (fill != 0) {
        Arrays.fill(pages[p], fill);
      }
    }
    if (fill != 0 && words > 0) {
      setWord(words - 1, fill);
    }
  }

  /** A set of {@code size} set bits. */
  public static RowBits allSet(long size) {
    return new RowBits(size, -1L);
  }

  private static long wordCount(long size) {
    return (size + 63) >>> 6;
  }

  /** The number of bits. */
  public long size() {
    return size;
  }

  /** The number of 64-bit words. */
  public long wordCount() {
    return wordCount(size);
  }

  /** Whether the bit of {@code row} is set. */
  public boolean get(long row) {
    checkRow(row);
    return (word(row >>> 6) >>> row & 1) != 0;
  }

  /** Sets the bit of {@code row}. */
  public void set(long row) {
    checkRow(row);
    page(row >>> 6)[(int) (row >>> 6) & PAGE_MASK] |= 1L << row;
  }

  /** Clears the bit of {@code row}. */
  public void clear(long row) {
    checkRow(row);
    page(row >>> 6)[(int) (row >>> 6) & PAGE_MASK] &= ~(1L << row);
  }

  /** Bits {@code 64 * wordIndex} to {@code 64 * wordIndex + 63}, the first in the lowest place. */
  public long word(long wordIndex) {
    return page(wordIndex)[(int) wordIndex & PAGE_MASK];
  }

  /** Replaces 64 bits; what lies beyond {@link #size()} is dropped. */
  public void setWord(long wordIndex, long word) {
    long kept = word;
    if (wordIndex == wordCount() - 1 && (size & 63) != 0) {
      kept &= -1L >>> -size;
    }
    page(wordIndex)[(int) wordIndex & PAGE_MASK] = kept;
  }

  /** How many bits are set. */
  public long cardinality() {
    long count = 0;
    for (long[] page : pages) {
      for (long word : page) {
        count += Long.bitCount(word);
      }
    }
    return count;
  }

  /** The first set bit at or after {@code fromRow}, or -1. */
  public long nextSetBit(long fromRow) {
    long words = wordCount();
    long wordIndex = fromRow >>> 6;
    if (wordIndex >= words) {
      return -1;
    }
    long word = word(wordIndex) & (-1L << fromRow);
    while (word == 0) {
      if (++wordIndex == words) {
        return -1;
      }
      word = word(wordIndex);
    }
    return (wordIndex << 6) + Long.numberOfTrailingZeros(word);
  }

  private long[] page(long wordIndex) {
    return pages[(int) (wordIndex >>> PAGE_SHIFT)];
  }

  private void checkRow(long row) {
    if (row < 0 || row >= size) {
      throw new IndexOutOfBoundsException(
          "row %,d is outside the %,d rows of this bit set".formatted(row, size));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowBits that
        && size == that.size
        && Arrays.deepEquals(pages, that.pages);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(pages);
  }

  @Override
  public String toString() {
    return "RowBits[%,d of %,d set]".formatted(cardinality(), size);
  }

  /** Copies what an object stream brought, so that a hostile stream cannot break the invariants. */
  @Serial
  private Object readResolve() {
    requireWholePages();
    RowBits checked = new RowBits(size);
    for (long word = 0; word < wordCount(); word++) {
      checked.setWord(word, word(word));
    }
    return checked;
  }

  /** Before anything is allocated: the size is only a number that came with the stream. */
  private void requireWholePages() {
    long words = size < 0 || size > ColumnValues.MAX_ROWS ? -1 : wordCount();
    if (pages == null || words < 0 || pages.length != (words + PAGE_MASK) >>> PAGE_SHIFT) {
      throw new IllegalArgumentException("the pages do not hold %,d rows".formatted(size));
    }
    for (int p = 0; p < pages.length; p++) {
      long expected = Math.min(WORDS_PER_PAGE, words - ((long) p << PAGE_SHIFT));
      if (pages[p] == null || pages[p].length != expected) {
        throw new IllegalArgumentException(
            "page %,d of a bit set of %,d rows has a wrong length".formatted(p, size));
      }
    }
  }
}
