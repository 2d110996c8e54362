package io.drayage.store.column;

import org.jspecify.annotations.Nullable;

/**
 * Builds the next version of an extent: a page is copied when it is first written.
 *
 * <p>Threads may write to different pages concurrently.
 */
final class ExtentWriter {
  private final Extent base;
  private final @Nullable Object[] pages;
  private final long[] @Nullable [] ownValidity;

  ExtentWriter(Extent base) {
    this.base = base;
    this.pages = base.copyPages();
    this.ownValidity = base.copyOwnValidity();
  }

  /** A page of values that is not part of a snapshot yet. */
  Object pageForWrite(int page) {
    Object current = pages[page];
    if (current == base.page(page)) {
      current =
          current == null
              ? Pages.ofDefaults(base.type(), base.rowsInPage(page))
              : Pages.copyOf(current, base.rowsInPage(page));
      pages[page] = current;
    }
    return current;
  }

  /** Validity bits of a page, not part of a snapshot yet. */
  long[] validityForWrite(int page) {
    long[] current = ownValidity[page];
    if (current == null || current == base.ownValidity(page)) {
      current = base.copyValidity(page);
      ownValidity[page] = current;
    }
    return current;
  }

  /** Whether the page has validity bits so far. */
  boolean hasValidity(int page) {
    return ownValidity[page] != null || base.hasValidity(page);
  }

  /** The new version; nothing may be written afterwards. */
  Extent toExtent() {
    return base.with(pages, ownValidity);
  }
}
