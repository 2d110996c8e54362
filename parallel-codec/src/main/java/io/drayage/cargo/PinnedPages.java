package io.drayage.cargo;

import org.jspecify.annotations.Nullable;

/** Keeps the pages of one range of a column on demand after they were made. Not thread-safe. */
final class PinnedPages implements PageSource {
  private final ColumnValues column;
  private final int firstPage;
  private final @Nullable Object[] pages;

  PinnedPages(ColumnValues column, int firstPage, int count) {
    this.column = column;
    this.firstPage = firstPage;
    this.pages = new Object[count];
  }

  @Override
  public Object page(int page) {
    int slot = page - firstPage;
    if (slot < 0 || slot >= pages.length) {
      return column.page(page);
    }
    Object held = pages[slot];
    if (held == null) {
      held = column.page(page);
      pages[slot] = held;
    }
    return held;
  }
}
