package io.drayage.store.column;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextBuilder;
import io.drayage.cargo.TextPage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Walks over row ids and their values in runs. A run lies in one page of the row ids, of the
 * values, and of the stored column. One typed loop copies a run, so that nothing is boxed. Not
 * thread-safe.
 */
final class RowRuns {
  private final ColumnValues rowIds;
  private final ColumnValues values;
  private final PageCursor cursor;
  private final long end;

  // The current run:
  private long first;
  private long[] ids = new long[0];
  private int idPage = -1;
  private int idFrom;
  private int count;
  private long firstRow;

  /** The page of values that was requested last. */
  private @Nullable Object valuesPage;

  private int valuesPageIndex = -1;

  /**
   * A walk from row id {@code from} to {@code end - 1}.
   *
   * @param rowIds rows of the column
   * @param values a value for each row id
   */
  RowRuns(StoredColumn column, ColumnValues rowIds, ColumnValues values, long from, long end) {
    this.rowIds = rowIds;
    this.values = values;
    this.cursor = new PageCursor(column);
    this.first = from;
    this.end = end;
  }

  /** Moves to the next run. Returns false if there is none. */
  boolean next() {
    first += count;
    if (first >= end) {
      return false;
    }
    if (rowIds.pageOf(first) != idPage) {
      idPage = rowIds.pageOf(first);
      ids = (long[]) rowIds.page(idPage);
    }
    idFrom = rowIds.offsetOf(first);
    int untilPageEnd =
        Math.min(rowIds.rowsPerPage() - idFrom, values.rowsPerPage() - values.offsetOf(first));
    int idEnd = idFrom + (int) Math.min(end - first, untilPageEnd);
    cursor.seek(ids[idFrom]);
    firstRow = cursor.firstRow();
    count = cursor.runEnd(ids, idFrom, idEnd) - idFrom;
    return true;
  }

  int extentIndex() {
    return cursor.extentIndex();
  }

  /** The index of the page in its extent. */
  int page() {
    return cursor.page();
  }

  /** The index of the run's first row id among all row ids and values. */
  long first() {
    return first;
  }

  int count() {
    return count;
  }

  /** The offset of row id {@code i} of the run in its page. */
  int offset(int i) {
    return (int) (ids[idFrom + i] - firstRow);
  }

  /** Writes the values of the run to their rows in {@code page}. */
  void scatter(Object page) {
    Object source = valuesPage();
    int from = values.offsetOf(first);
    switch (values.type()) {
      case BOOLEAN -> scatter((boolean[]) source, from, (boolean[]) page);
      case BYTE -> scatter((byte[]) source, from, (byte[]) page);
      case SHORT -> scatter((short[]) source, from, (short[]) page);
      case INT -> scatter((int[]) source, from, (int[]) page);
      case LONG -> scatter((long[]) source, from, (long[]) page);
      case FLOAT -> scatter((float[]) source, from, (float[]) page);
      case DOUBLE -> scatter((double[]) source, from, (double[]) page);
      case STRING -> scatter((TextPage) source, from, (TextPage) page);
    }
  }

  /** The page of the run's values. A page on demand is made once for all runs in it. */
  private Object valuesPage() {
    Object page = valuesPage;
    if (page == null || values.pageOf(first) != valuesPageIndex) {
      valuesPageIndex = values.pageOf(first);
      page = values.page(valuesPageIndex);
      valuesPage = page;
    }
    return page;
  }

  /** The memory of the texts of the run, minus that of the texts they replace. */
  long textGrowth(TextPage page) {
    long bytes = MemorySize.ofTexts(valuesPage(), values.offsetOf(first), count);
    for (int i = 0; i < count; i++) {
      bytes -= page.length(offset(i));
    }
    return bytes;
  }

  /** Reads the rows of the run in {@code page} into the values, adjacent rows at once. */
  void gather(Object page, Object target) {
    int to = values.offsetOf(first);
    for (int i = 0; i < count; ) {
      int adjacent = adjacent(i);
      System.arraycopy(page, offset(i), target, to + i, adjacent);
      i += adjacent;
    }
  }

  /** Appends the texts of the run, adjacent rows at once. */
  void gather(TextPage page, TextBuilder target) {
    for (int i = 0; i < count; ) {
      int adjacent = adjacent(i);
      target.add(page, offset(i), adjacent);
      i += adjacent;
    }
  }

  /** The number of row ids from {@code from} on whose rows are adjacent. */
  private int adjacent(int from) {
    int end = from + 1;
    while (end < count && offset(end) == offset(end - 1) + 1) {
      end++;
    }
    return end - from;
  }

  /**
   * Sets the bit of each row of the run whose new value is not null, and clears the others.
   *
   * @param valid the bits of all values; null if none of them is null
   * @param page the bits of the page
   */
  void scatterValidity(@Nullable RowBits valid, long[] page) {
    for (int i = 0; i < count; i++) {
      int row = offset(i);
      long value = first + i;
      long bit = valid == null ? 1 : (valid.word(value >>> 6) >>> value) & 1;
      page[row >>> 6] = (page[row >>> 6] & ~(1L << row)) | (bit << row);
    }
  }

  private void scatter(boolean[] source, int from, boolean[] page) {
    for (int i = 0; i < count; i++) {
      page[offset(i)] = source[from + i];
    }
  }

  private void scatter(byte[] source, int from, byte[] page) {
    for (int i = 0; i < count; i++) {
      page[offset(i)] = source[from + i];
    }
  }

  private void scatter(short[] source, int from, short[] page) {
    for (int i = 0; i < count; i++) {
      page[offset(i)] = source[from + i];
    }
  }

  private void scatter(int[] source, int from, int[] page) {
    for (int i = 0; i < count; i++) {
      page[offset(i)] = source[from + i];
    }
  }

  private void scatter(long[] source, int from, long[] page) {
    for (int i = 0; i < count; i++) {
      page[offset(i)] = source[from + i];
    }
  }

  private void scatter(float[] source, int from, float[] page) {
    for (int i = 0; i < count; i++) {
      page[offset(i)] = source[from + i];
    }
  }

  private void scatter(double[] source, int from, double[] page) {
    for (int i = 0; i < count; i++) {
      page[offset(i)] = source[from + i];
    }
  }

  private void scatter(TextPage source, int from, TextPage page) {
    int[] offsets = new int[count];
    boolean ascends = true;
    for (int i = 0; i < count; i++) {
      offsets[i] = offset(i);
      ascends &= i == 0 || offsets[i] > offsets[i - 1];
    }
    if (ascends) {
      page.replace(offsets, count, source, from);
      return;
    }
    TextBuilder sorted = new TextBuilder();
    IntStream.range(0, count)
        .boxed()
        .sorted(Comparator.comparingInt(i -> offsets[i]))
        .forEach(i -> sorted.add(source, from + i, 1));
    Arrays.sort(offsets);
    page.replace(offsets, count, sorted.build(), 0);
  }
}
