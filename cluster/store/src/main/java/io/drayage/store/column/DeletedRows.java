package io.drayage.store.column;

import io.drayage.cargo.RowBits;
import org.jspecify.annotations.Nullable;

/**
 * The deleted rows of a table. Immutable.
 *
 * <p>Bits in pages as in {@link RowBits}, with two differences. A page without deleted rows is
 * null. There is no size: rows beyond the last page are not deleted. So a growing table needs no
 * copy, and a delete copies only the pages that it touches.
 */
public final class DeletedRows {
  /** No row. */
  public static final DeletedRows NONE = new DeletedRows(new long[0][], 0);

  private static final int PAGE_SHIFT = 10;
  private static final int PAGE_MASK = RowBits.WORDS_PER_PAGE - 1;

  private final long[] @Nullable [] pages;
  private final long count;

  private DeletedRows(long[] @Nullable [] pages, long count) {
    this.pages = pages;
    this.count = count;
  }

  /** The number of deleted rows. */
  public long count() {
    return count;
  }

  long memoryBytes() {
    long bytes = 0;
    for (long[] page : pages) {
      bytes += page == null ? MemorySize.REFERENCE_BYTES : page.length * (long) Long.BYTES;
    }
    return bytes;
  }

  /** Whether a row is deleted; false beyond the last one. */
  public boolean get(long row) {
    return (word(row >>> 6) >>> row & 1) != 0;
  }

  /** Bits {@code 64 * wordIndex} to {@code 64 * wordIndex + 63}. */
  public long word(long wordIndex) {
    long page = wordIndex >>> PAGE_SHIFT;
    if (page >= pages.length || pages[(int) page] == null) {
      return 0;
    }
    return pages[(int) page][(int) wordIndex & PAGE_MASK];
  }

  /** The union with {@code more}. */
  public DeletedRows plus(RowBits more) {
    long words = more.wordCount();
    int pageCount = (int) Math.max(pages.length, (words + PAGE_MASK) >>> PAGE_SHIFT);
    long[][] merged = new long[pageCount][];
    System.arraycopy(pages, 0, merged, 0, pages.length);
    long added = 0;
    for (long w = more.nextSetWord(0); w < words; w = more.nextSetWord(w + 1)) {
      long word = more.word(w) & ~word(w);
      if (word != 0) {
        pageForWrite(merged, (int) (w >>> PAGE_SHIFT))[(int) w & PAGE_MASK] |= word;
        added += Long.bitCount(word);
      }
    }
    return added == 0 ? this : new DeletedRows(merged, count + added);
  }

  private long[] pageForWrite(long[][] merged, int page) {
    long[] own = page < pages.length ? pages[page] : null;
    if (merged[page] == own) {
      merged[page] = own == null ? new long[RowBits.WORDS_PER_PAGE] : own.clone();
    }
    return merged[page];
  }

  /** The rows below {@code rows} that are in this set but not in {@code earlier}. */
  public RowBits minus(DeletedRows earlier, long rows) {
    RowBits added = new RowBits(rows);
    for (long w = 0; w < Math.min(added.wordCount(), (long) pages.length << PAGE_SHIFT); w++) {
      long word = word(w) & ~earlier.word(w);
      if (word != 0) { // No page without deleted rows.
        added.setWord(w, word);
      }
    }
    return added;
  }
}
