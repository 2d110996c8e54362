package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.Serial;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bit for each row of a table or column, in pages, so that there may be more than 2^31.
 *
 * <p>Used for the rows that a transaction deletes (a set bit is a deleted row) and for the validity
 * of a nullable column (a set bit is a value, a clear bit a null). Bit {@code r} is bit {@code r &
 * 63} of word {@code r >>> 6}. Bits of the last word beyond {@link #size()} are always clear.
 *
 * <p>The first thread that changes a bit of a page allocates the page. So many threads share the
 * cost of a large set, and a set that is never changed needs no memory for pages.
 *
 * <p>Not thread-safe while it is filled, except that different threads may set different words. Do
 * not change a set once it is part of a {@link ChangeCargo}.
 */
public final class RowBits implements PartContent, Serializable {
  /** Words in a page: 65,536 bits, 8 KiB. */
  public static final int WORDS_PER_PAGE = 1024;

  @Serial private static final long serialVersionUID = 1;
  private static final int PAGE_SHIFT = 10;
  private static final int PAGE_OVERHEAD_BYTES = 16;
  private static final int PAGE_MASK = WORDS_PER_PAGE - 1;

  private static final VarHandle PAGE_SLOT = MethodHandles.arrayElementVarHandle(long[][].class);

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long size;

  /** The pages. All words of a missing page are {@link #fill}. */
  private final long @Nullable [][] pages;

  /** 0 or -1. Not serialized, because then no page is missing. */
  private final transient long fill;

  /**
   * A set of {@code size} clear bits.
   *
   * @throws IllegalArgumentException if {@code size} is negative or above 2^40
   */
  public RowBits(long size) {
    this(size, 0L);
  }

  private RowBits(long size, long fill) {
    ColumnValues.requireRowCount(size);
    this.size = size;
    this.fill = fill;
    this.pages = new long[(int) ((wordCount(size) + PAGE_MASK) >>> PAGE_SHIFT)][];
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
    Objects.checkIndex(row, size);
    return (word(row >>> 6) >>> row & 1) != 0;
  }

  /** Sets the bit of {@code row}. */
  public void set(long row) {
    Objects.checkIndex(row, size);
    pageForWrite(row >>> 6)[(int) (row >>> 6) & PAGE_MASK] |= 1L << row;
  }

  /**
   * Sets the bit of {@code row}. Threads may call this at the same time, even for the same word.
   *
   * @return whether the bit was clear
   */
  public boolean setShared(long row) {
    Objects.checkIndex(row, size);
    long bit = 1L << row;
    int word = (int) (row >>> 6) & PAGE_MASK;
    return ((long) WORD.getAndBitwiseOr(pageForWrite(row >>> 6), word, bit) & bit) == 0;
  }

  /** Clears the bit of {@code row}. */
  public void clear(long row) {
    Objects.checkIndex(row, size);
    pageForWrite(row >>> 6)[(int) (row >>> 6) & PAGE_MASK] &= ~(1L << row);
  }

  /** Bits {@code 64 * wordIndex} to {@code 64 * wordIndex + 63}, the first in the lowest place. */
  public long word(long wordIndex) {
    long[] page = pages[(int) (wordIndex >>> PAGE_SHIFT)];
    return page == null ? kept(wordIndex, fill) : page[(int) wordIndex & PAGE_MASK];
  }

  /**
   * The first word from {@code wordIndex} on with a set bit, or {@link #wordCount} if there is
   * none. Skips missing pages, so that it is fast for few bits of many rows.
   */
  public long nextSetWord(long wordIndex) {
    long word = wordIndex;
    while (word < wordCount() && word(word) == 0) {
      word = pages[(int) (word >>> PAGE_SHIFT)] == null ? (word | PAGE_MASK) + 1 : word + 1;
    }
    return Math.min(word, wordCount());
  }

  /** The bits of rows {@code row} to {@code row + 63}, the first in the lowest place. */
  public long bits(long row) {
    long word = row >>> 6;
    long low = word(word) >>> row;
    boolean more = (row & 63) != 0 && word + 1 < wordCount();
    return more ? low | word(word + 1) << -row : low;
  }

  /**
   * Clears each bit of rows {@code row} to {@code row + 63} that is clear in {@code bits}. Threads
   * may call this at the same time, even for the same word.
   */
  public void clearUnset(long row, long bits) {
    clearUnsetInWord(row >>> 6, bits << row | ~(-1L << row));
    if ((row & 63) != 0) {
      clearUnsetInWord((row >>> 6) + 1, bits >>> -row | -1L << row);
    }
  }

  private void clearUnsetInWord(long wordIndex, long bits) {
    if (bits != -1L && wordIndex < wordCount()) {
      long unused =
          (long) WORD.getAndBitwiseAnd(pageForWrite(wordIndex), (int) wordIndex & PAGE_MASK, bits);
    }
  }

  /** Replaces 64 bits. Bits beyond {@link #size()} are dropped. */
  public void setWord(long wordIndex, long word) {
    pageForWrite(wordIndex)[(int) wordIndex & PAGE_MASK] = kept(wordIndex, word);
  }

  /** {@code word} without the bits beyond {@link #size()}. */
  private long kept(long wordIndex, long word) {
    return wordIndex == wordCount() - 1 && (size & 63) != 0 ? word & -1L >>> -size : word;
  }

  /** Number of set bits. */
  public long cardinality() {
    long count = 0;
    for (long word = nextSetWord(0); word < wordCount(); word = nextSetWord(word + 1)) {
      count += Long.bitCount(word(word));
    }
    return count;
  }

  /** Whether the ids of the set rows, 8 bytes each, are shorter than a bit for each row. */
  public boolean isShorterAsIds() {
    return cardinality() < wordCount();
  }

  /** The ids of the set rows, in ascending order. */
  public ColumnValues ids() {
    ColumnValues ids = ColumnValues.allocate(ColumnType.LONG, cardinality(), false);
    long next = 0;
    for (long word = nextSetWord(0); word < wordCount(); word = nextSetWord(word + 1)) {
      for (long left = word(word); left != 0; left &= left - 1, next++) {
        long[] page = (long[]) ids.pageForWrite(ids.pageOf(next));
        page[ids.offsetOf(next)] = (word << 6) + Long.numberOfTrailingZeros(left);
      }
    }
    return ids;
  }

  /** The most memory that a set of {@code size} bits needs if {@code set} of them are set. */
  public static long memoryBytes(long size, long set) {
    long pages = (wordCount(size) + PAGE_MASK) >>> PAGE_SHIFT;
    long pageBytes = Long.BYTES * Math.min(WORDS_PER_PAGE, wordCount(size)) + PAGE_OVERHEAD_BYTES;
    return pages * Long.BYTES + Math.min(pages, set) * pageBytes;
  }

  private long[] pageForWrite(long wordIndex) {
    return allocated((int) (wordIndex >>> PAGE_SHIFT));
  }

  private long[] allocated(int page) {
    long[] existing = (long[]) PAGE_SLOT.getAcquire(pages, page);
    if (existing != null) {
      return existing;
    }
    long firstWord = (long) page << PAGE_SHIFT;
    long[] fresh = new long[(int) Math.min(WORDS_PER_PAGE, wordCount() - firstWord)];
    if (fill != 0) {
      Arrays.fill(fresh, fill);
      int last = fresh.length - 1;
      fresh[last] = kept(firstWord + last, fill);
    }
    long[] winner = (long[]) PAGE_SLOT.compareAndExchange(pages, page, null, fresh);
    return winner == null ? fresh : winner;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof RowBits that) || size != that.size) {
      return false;
    }
    long word = 0;
    while (word < wordCount() && word(word) == that.word(word)) {
      word++;
    }
    return word == wordCount();
  }

  @Override
  public int hashCode() {
    int hash = Long.hashCode(size);
    for (long word = 0; word < wordCount(); word++) {
      hash = 31 * hash + Long.hashCode(word(word));
    }
    return hash;
  }

  @Override
  public String toString() {
    return format("RowBits[%,d of %,d set]", cardinality(), size);
  }

  /** Allocates the missing pages, which an object stream cannot express. */
  @Serial
  private Object writeReplace() {
    for (int page = 0; page < pages.length; page++) {
      allocated(page);
    }
    return this;
  }

  /** Copies a set from an object stream, so that a hostile stream cannot break the invariants. */
  @Serial
  private Object readResolve() {
    requireWholePages();
    RowBits checked = new RowBits(size);
    for (long word = 0; word < wordCount(); word++) {
      checked.setWord(word, word(word));
    }
    return checked;
  }

  /** Checks the pages before anything is allocated: the size is only a number of the stream. */
  private void requireWholePages() {
    long words = size < 0 || size > ColumnValues.MAX_ROWS ? -1 : wordCount();
    if (pages == null || words < 0 || pages.length != (words + PAGE_MASK) >>> PAGE_SHIFT) {
      throw new IllegalArgumentException(format("the pages do not hold %,d rows", size));
    }
    for (int p = 0; p < pages.length; p++) {
      long expected = Math.min(WORDS_PER_PAGE, words - ((long) p << PAGE_SHIFT));
      if (pages[p] == null || pages[p].length != expected) {
        throw new IllegalArgumentException(
            format("page %,d of a bit set of %,d rows has a wrong length", p, size));
      }
    }
  }
}
