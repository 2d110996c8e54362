package io.drayage.store.column;

import org.jspecify.annotations.Nullable;

/** Consecutive rows of a column in one page, for reading without a copy. Immutable. */
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
   * An array of the column's type, or a {@link io.drayage.cargo.TextPage}; null if all rows have
   * default values. Must not be changed.
   */
  public @Nullable Object page() {
    return page;
  }

  /** The offset of the first row in the page. */
  public int offset() {
    return offset;
  }

  /** The number of rows. */
  public int rows() {
    return rows;
  }

  /**
   * The validity bits: bit {@code i & 63} of word {@code i >>> 6} is clear if row {@code i} of the
   * slice is null. Null if no row is null. Must not be changed.
   */
  public long @Nullable [] validity() {
    return validity;
  }

  /** The number of null rows. */
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
