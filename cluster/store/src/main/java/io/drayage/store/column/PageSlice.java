package io.drayage.store.column;

import org.jspecify.annotations.Nullable;

/** Consecutive rows of a column that lie in one page, for reading without a copy. Immutable. */
public final class PageSlice {
  private final @Nullable Object page;
  private final int offset;
  private final int rows;
  private final long @Nullable [] validity;

  PageSlice(@Nullable Object page, int offset, int rows, long @Nullable [] validity) {
    this.page = page;
    this.offset = offset;
    this.rows = rows;
    this.validity = validity;
  }

  /**
   * An array of the column's type, or a {@link io.drayage.cargo.TextPage}, not to be changed; null
   * if all of the rows have default values.
   */
  public @Nullable Object page() {
    return page;
  }

  /** Where the first of the rows stands in the page. */
  public int offset() {
    return offset;
  }

  /** How many there are. */
  public int rows() {
    return rows;
  }

  /**
   * Bit {@code i & 63} of word {@code i >>> 6} is clear if row {@code i} of these is null; null if
   * none is. Not to be changed.
   */
  public long @Nullable [] validity() {
    return validity;
  }

  /** How many of the rows are null. */
  public int nullCount() {
    if (validity == null) {
      return 0;
    }
    int set = 0;
    for (long word : validity) {
      set += Long.bitCount(word);
    }
    return rows - set;
  }
}
