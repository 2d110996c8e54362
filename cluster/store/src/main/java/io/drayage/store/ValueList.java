package io.drayage.store;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import io.drayage.store.column.Pages;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A growing, mutable list of values of one type, in the pages of a column. Not thread-safe.
 *
 * <p>The first page starts small, so that a transaction of one row uses little memory; all others
 * have full length.
 */
final class ValueList {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int FIRST_ROWS = 16;

  private final ColumnType type;
  private final List<Object> pages = new ArrayList<>();

  /** The nulls of each page. */
  private final List<BitSet> nulls = new ArrayList<>();

  private long size;
  private boolean anyNull;

  ValueList(ColumnType type) {
    this.type = type;
  }

  long size() {
    return size;
  }

  void add(@Nullable Object value) {
    int offset = (int) (size % PAGE_ROWS);
    if (offset == 0) {
      pages.add(newPage(size == 0 ? FIRST_ROWS : PAGE_ROWS));
      nulls.add(new BitSet());
    } else if (offset == Array.getLength(lastPage())) {
      growFirst();
    }
    size++;
    set(size - 1, value);
  }

  /** Returns a page; for texts, one of strings, as long as they may be replaced. */
  private Object newPage(int rows) {
    return type.isFixedWidth() ? type.newPage(rows) : new String[rows];
  }

  private Object lastPage() {
    return pages.get(pages.size() - 1);
  }

  private void growFirst() {
    Object small = pages.get(0);
    int rows = Array.getLength(small);
    Object larger = newPage(Math.min(PAGE_ROWS, 4 * rows));
    System.arraycopy(small, 0, larger, 0, rows);
    pages.set(0, larger);
  }

  void addAll(ColumnValues values) {
    for (long row = 0; row < values.rowCount(); row++) {
      add(values.get(row));
    }
  }

  void set(long index, @Nullable Object value) {
    int page = (int) (index / PAGE_ROWS);
    int offset = (int) (index % PAGE_ROWS);
    nulls.get(page).set(offset, value == null);
    anyNull |= value == null;
    if (value != null || !type.isFixedWidth()) {
      Array.set(pages.get(page), offset, value); // A null replaces a text.
    }
  }

  @Nullable Object get(long index) {
    int page = (int) (index / PAGE_ROWS);
    int offset = (int) (index % PAGE_ROWS);
    return nulls.get(page).get(offset) ? null : Array.get(pages.get(page), offset);
  }

  /** The values as a column that shares the pages. No more changes may follow. */
  ColumnValues toColumn() {
    if (size == 0) {
      return ColumnValues.allocate(type, 0, false);
    }
    if (pages.size() == 1) {
      pages.set(0, Pages.copyOf(pages.get(0), (int) size));
    }
    Object[] table = (Object[]) Array.newInstance(type.pageClass(), pages.size());
    for (int p = 0; p < table.length; p++) {
      table[p] = pages.get(p) instanceof String[] texts ? TextPage.of(texts) : pages.get(p);
    }
    return ColumnValues.of(table, size, anyNull ? validity() : null);
  }

  private RowBits validity() {
    RowBits bits = RowBits.allSet(size);
    for (int p = 0; p < nulls.size(); p++) {
      long firstRow = (long) p * PAGE_ROWS;
      nulls.get(p).stream().forEach(offset -> bits.clear(firstRow + offset));
    }
    return bits;
  }
}
