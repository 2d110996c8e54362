package io.drayage.spark.write;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Numbers of rows of the base, in pages. Not thread-safe. */
final class RowIds {
  private static final int PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final List<long[]> pages = new ArrayList<>();
  private long[] page = new long[0];
  private int used;
  private long largest = -1;

  void add(long row) {
    if (used == page.length) {
      grow();
    }
    page[used++] = row;
    largest = Math.max(largest, row);
  }

  /** Grows the first page, so that few ids need little memory. */
  private void grow() {
    if (page.length == PAGE) {
      pages.add(page);
      page = new long[PAGE];
      used = 0;
    } else {
      page = Arrays.copyOf(page, ColumnPages.roomFor(used + 1, used));
    }
  }

  long bytes() {
    return ((long) pages.size() * PAGE + used) * Long.BYTES;
  }

  boolean isEmpty() {
    return used == 0;
  }

  /** Returns all ids in the order of their addition, at least one; empty afterwards. */
  ColumnValues take() {
    long count = (long) pages.size() * PAGE + used;
    pages.add(page);
    ColumnValues ids = ColumnValues.of(pages.toArray(long[][]::new), count, null);
    clear();
    return ids;
  }

  /** Returns all ids as a set up to the largest one; this object is empty afterwards. */
  RowBits takeBits() {
    RowBits bits = new RowBits(largest + 1);
    for (long[] each : pages) {
      for (long row : each) {
        bits.set(row);
      }
    }
    for (int i = 0; i < used; i++) {
      bits.set(page[i]);
    }
    clear();
    return bits;
  }

  private void clear() {
    pages.clear();
    page = new long[0];
    used = 0;
    largest = -1;
  }
}
