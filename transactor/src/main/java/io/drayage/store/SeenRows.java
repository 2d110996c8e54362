package io.drayage.store;

import org.jspecify.annotations.Nullable;

/** Detects duplicate row ids. Bits in pages that are allocated when first needed. */
final class SeenRows {
  /** 65,536 bits, 8 KiB. */
  private static final int WORDS_PER_PAGE = 1024;

  private final long[] @Nullable [] pages;

  /** For row ids from 0 to {@code rowCount - 1}. */
  SeenRows(long rowCount) {
    long words = (rowCount + 63) >>> 6;
    this.pages = new long[(int) ((words + WORDS_PER_PAGE - 1) / WORDS_PER_PAGE)][];
  }

  /** Whether {@code row} is new. */
  boolean add(long row) {
    long wordIndex = row >>> 6;
    int page = (int) (wordIndex / WORDS_PER_PAGE);
    long[] words = pages[page];
    if (words == null) {
      words = new long[WORDS_PER_PAGE];
      pages[page] = words;
    }
    int word = (int) wordIndex & (WORDS_PER_PAGE - 1);
    long before = words[word];
    words[word] = before | 1L << row;
    return words[word] != before;
  }
}
