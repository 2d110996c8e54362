package io.drayage.store.column;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive rows of one column: the initial rows of a table, or the rows that one cargo inserted.
 * Immutable once its snapshot is published; snapshots share pages.
 *
 * <p>A null page has default values only. Nulls are recorded in two places: {@code adoptedValidity}
 * came with the inserted rows and covers the whole extent; {@code ownValidity} replaces it for
 * pages that were updated since, so that an update copies only the bits of these pages. Bit {@code
 * i} of a page's own validity is row {@code i} of the page.
 */
public final class Extent {
  private static final long UNKNOWN = -1;

  private final ColumnType type;
  private final long firstRow;
  private final long rowCount;
  private final int rowsPerPage;
  private final @Nullable Object[] pages;
  private final @Nullable RowBits adoptedValidity;
  private final long[] @Nullable [] ownValidity;

  /** The memory of the extent; {@link #UNKNOWN} before the first call. Racy, benign. */
  private volatile long memoryBytes = UNKNOWN;

  private Extent(
      ColumnType type,
      long firstRow,
      long rowCount,
      int rowsPerPage,
      @Nullable Object[] pages,
      @Nullable RowBits adoptedValidity,
      long[] @Nullable [] ownValidity) {
    this.type = type;
    this.firstRow = firstRow;
    this.rowCount = rowCount;
    this.rowsPerPage = rowsPerPage;
    this.pages = pages;
    this.adoptedValidity = adoptedValidity;
    this.ownValidity = ownValidity;
  }

  /** Rows of default values; uses one reference per page. */
  static Extent ofDefaults(ColumnType type, long rowCount) {
    int rowsPerPage = ColumnValues.DEFAULT_ROWS_PER_PAGE;
    int pageCount = (int) ((rowCount + rowsPerPage - 1) / rowsPerPage);
    return new Extent(
        type, 0, rowCount, rowsPerPage, Pages.table(type, pageCount), null, new long[pageCount][]);
  }

  /**
   * Adopts the pages of {@code values}, including spare capacity, with their first row at {@code
   * firstRow}.
   */
  public static Extent adopt(ColumnValues values, long firstRow) {
    @Nullable Object[] pages = Pages.table(values.type(), values.pageCount());
    for (int p = 0; p < pages.length; p++) {
      pages[p] = values.page(p);
    }
    return new Extent(
        values.type(),
        firstRow,
        values.rowCount(),
        values.rowsPerPage(),
        pages,
        Pages.nullsOf(values),
        new long[pages.length][]);
  }

  /**
   * Adopts pages.
   *
   * @param numbers the places of the pages; all others have default values only
   * @param values the pages, one after the other, with as many rows as {@code ofDefaults} has
   */
  static Extent ofPages(long rowCount, BitSet numbers, ColumnValues values) {
    Extent empty = ofDefaults(values.type(), rowCount);
    RowBits validity = Pages.nullsOf(values);
    int next = 0;
    for (int p = numbers.nextSetBit(0); p >= 0; p = numbers.nextSetBit(p + 1), next++) {
      empty.pages[p] = values.page(next);
      if (validity != null) {
        empty.ownValidity[p] =
            bitsOf(validity, (long) next * empty.rowsPerPage, empty.rowsInPage(p));
      }
    }
    return empty;
  }

  private static long[] bitsOf(RowBits validity, long first, int rows) {
    long[] bits = new long[(rows + 63) >>> 6];
    for (int w = 0; w < bits.length; w++) {
      bits[w] = validity.bits(first + 64L * w);
    }
    return bits;
  }

  ColumnType type() {
    return type;
  }

  /** Whether {@link #memoryBytes} is known already. */
  boolean isMeasured() {
    return memoryBytes != UNKNOWN;
  }

  /** The approximate memory of the extent. */
  public long memoryBytes() {
    long known = memoryBytes;
    if (known == UNKNOWN) {
      known = measure();
      memoryBytes = known;
    }
    return known;
  }

  /** Measures the memory of the extent, without storing the result. */
  long measure() {
    long bytes = (long) pages.length * 2 * MemorySize.REFERENCE_BYTES;
    if (adoptedValidity != null) {
      bytes += adoptedValidity.wordCount() * Long.BYTES;
    }
    for (int p = 0; p < pages.length; p++) {
      bytes += measure(p);
    }
    return bytes;
  }

  private long measure(int p) {
    long bytes = 0;
    Object page = pages[p];
    if (page != null) {
      bytes += MemorySize.ofPage(type, ColumnType.rowsOf(page));
      bytes += type.isFixedWidth() ? 0 : MemorySize.ofTexts(page, 0, rowsInPage(p));
    }
    long[] own = ownValidity[p];
    return bytes + (own == null ? 0 : own.length * (long) Long.BYTES);
  }

  /** Returns the same rows, which share all pages, with another first row. */
  Extent movedTo(long row) {
    Extent moved =
        new Extent(type, row, rowCount, rowsPerPage, pages, adoptedValidity, ownValidity);
    moved.memoryBytes = memoryBytes;
    return moved;
  }

  /** Whether both have the same rows, in pages of the same size. */
  boolean isShapedAs(Extent other) {
    return firstRow == other.firstRow
        && rowCount == other.rowCount
        && rowsPerPage == other.rowsPerPage;
  }

  /**
   * Returns these rows with the pages that the other side has changed, except pages that were
   * changed here, too. Both sides began with {@code before}.
   *
   * @param theirs the rows of the other side; all three have the same shape
   * @param both receives the first row, and the row after the last, of each page that both sides
   *     have changed. Such a page stays as it is here
   */
  @SuppressWarnings("ReferenceEquality")
  Extent withPagesOf(Extent theirs, Extent before, List<long[]> both) {
    if (theirs == before || this == before) {
      return theirs == before ? this : theirs;
    }
    @Nullable Object[] mergedPages = pages.clone();
    long[] @Nullable [] mergedValidity = ownValidity.clone();
    boolean isKnown =
        memoryBytes != UNKNOWN && theirs.memoryBytes != UNKNOWN && before.memoryBytes != UNKNOWN;
    long bytes = isKnown ? memoryBytes + theirs.memoryBytes - before.memoryBytes : UNKNOWN;
    for (int p = 0; p < mergedPages.length; p++) {
      if (theirs.hasPageOf(before, p)) {
        continue;
      }
      if (hasPageOf(before, p)) {
        mergedPages[p] = theirs.pages[p];
        mergedValidity[p] = theirs.ownValidity[p];
      } else {
        bytes -= isKnown ? theirs.measure(p) - before.measure(p) : 0;
        both.add(new long[] {firstRowOf(p), firstRowOf(p) + rowsInPage(p)});
      }
    }
    Extent merged =
        new Extent(
            type, firstRow, rowCount, rowsPerPage, mergedPages, adoptedValidity, mergedValidity);
    merged.memoryBytes = bytes;
    return merged;
  }

  private boolean hasPageOf(Extent before, int page) {
    return pages[page] == before.pages[page] && ownValidity[page] == before.ownValidity[page];
  }

  /** The number of the first row in the column. */
  public long firstRow() {
    return firstRow;
  }

  /** The row after the last. */
  public long endRow() {
    return firstRow + rowCount;
  }

  int pageCount() {
    return pages.length;
  }

  /** A page of values; null if it has default values only. */
  public @Nullable Object page(int page) {
    return pages[page];
  }

  /** The page of {@code row}, a row of the table. */
  int pageOf(long row) {
    return (int) ((row - firstRow) / rowsPerPage);
  }

  /** The first row of a page, as a row of the table. */
  long firstRowOf(int page) {
    return firstRow + (long) page * rowsPerPage;
  }

  int rowsInPage(int page) {
    return (int) Math.min(rowsPerPage, endRow() - firstRowOf(page));
  }

  /** Whether a page has validity bits. */
  boolean hasValidity(int page) {
    return ownValidity[page] != null || adoptedValidity != null;
  }

  /** The bits that an update created for a page; null if none has. */
  public long @Nullable [] ownValidity(int page) {
    return ownValidity[page];
  }

  private long[] copyValidity(int page) {
    long[] copy = new long[(rowsInPage(page) + 63) >>> 6];
    for (int w = 0; w < copy.length; w++) {
      copy[w] = validityBits(page, 64 * w);
    }
    return copy;
  }

  /** The boxed value of a row of the table, or null. */
  @Nullable Object get(long row) {
    int page = pageOf(row);
    int offset = (int) (row - firstRowOf(page));
    if (isNull(page, offset)) {
      return null;
    }
    Object values = pages[page];
    return values == null ? Pages.defaultValue(type) : type.get(values, offset);
  }

  /** Whether a value is null. */
  boolean isNull(int page, int offset) {
    long[] own = ownValidity[page];
    if (own != null) {
      return (own[offset >>> 6] >>> offset & 1) == 0;
    }
    return adoptedValidity != null && !adoptedValidity.get(firstRowOf(page) - firstRow + offset);
  }

  /** The rows from a row of the table on, up to the end of its page. */
  PageSlice slice(long row) {
    int page = pageOf(row);
    int offset = (int) (row - firstRowOf(page));
    int rows = rowsInPage(page) - offset;
    return new PageSlice(pages[page], offset, rows, validity(page, offset, rows));
  }

  /** The validity bits of rows of a page; null if no row is null. */
  private long @Nullable [] validity(int page, int offset, int rows) {
    if (!hasValidity(page)) {
      return null;
    }
    long[] bits = new long[(rows + 63) >>> 6];
    long nulls = 0;
    for (int w = 0; w < bits.length; w++) {
      int left = rows - 64 * w;
      long rowsOfWord = left < 64 ? (1L << left) - 1 : -1L;
      bits[w] = validityBits(page, offset + 64 * w) & rowsOfWord;
      nulls |= bits[w] ^ rowsOfWord;
    }
    return nulls == 0 ? null : bits;
  }

  /** The bits of row {@code offset} of a page and of the 63 rows after it. */
  private long validityBits(int page, int offset) {
    long[] own = ownValidity[page];
    if (own == null) {
      RowBits adopted = adoptedValidity;
      return adopted == null ? -1L : adopted.bits(firstRowOf(page) - firstRow + offset);
    }
    int word = offset >>> 6;
    long low = own[word] >>> offset;
    boolean more = (offset & 63) != 0 && word + 1 < own.length;
    return more ? low | own[word + 1] << -offset : low;
  }

  int rowsPerPage() {
    return rowsPerPage;
  }

  /**
   * Whether the rows have not been changed since their insertion: then {@link #asInserted} works.
   */
  public boolean isAsInserted() {
    for (int p = 0; p < pages.length; p++) {
      if (pages[p] == null || ownValidity[p] != null) {
        return false;
      }
    }
    return true;
  }

  /**
   * The rows as they were inserted, sharing the pages.
   *
   * @throws IllegalStateException if a page is null or has been updated
   */
  public ColumnValues asInserted() {
    if (!isAsInserted()) {
      throw new IllegalStateException(
          format("the rows from %,d on are not as they were inserted", firstRow));
    }
    return ColumnValues.of(pages, rowCount, adoptedValidity);
  }

  /**
   * Builds the next version of an extent: a page is copied when it is first written. Threads may
   * write to different pages concurrently.
   */
  final class Writer {
    private final @Nullable Object[] newPages = pages.clone();
    private final long[] @Nullable [] newValidity = ownValidity.clone();

    /** The growth of the new version, if the memory of this one is known. */
    private final LongAdder grownBytes = new LongAdder();

    /** Returns a page of values that is not part of a snapshot yet. */
    Object pageForWrite(int page) {
      Object current = newPages[page];
      if (current == pages[page]) {
        Object before = current;
        current =
            before == null
                ? type.newPage(rowsInPage(page))
                : Pages.copyOf(before, rowsInPage(page));
        newPages[page] = current;
        grownBytes.add(
            MemorySize.ofPage(type, rowsInPage(page))
                - (before == null ? 0 : MemorySize.ofPage(type, ColumnType.rowsOf(before))));
      }
      return current;
    }

    /** Returns validity bits of a page that are not part of a snapshot yet. */
    long[] validityForWrite(int page) {
      long[] current = newValidity[page];
      if (current == null || current == ownValidity[page]) {
        grownBytes.add(current == null ? Long.BYTES * ((rowsInPage(page) + 63L) >>> 6) : 0);
        current = copyValidity(page);
        newValidity[page] = current;
      }
      return current;
    }

    /** Whether the page has validity bits at the moment. */
    boolean hasValidity(int page) {
      return newValidity[page] != null || Extent.this.hasValidity(page);
    }

    /** Whether the length of written texts is needed. */
    boolean measuresTexts() {
      return !type.isFixedWidth() && memoryBytes != UNKNOWN;
    }

    /** Adds the sum by which texts became longer; negative if shorter. */
    void addGrownTexts(long bytes) {
      grownBytes.add(bytes);
    }

    /** The new version; nothing may be written afterwards. */
    Extent toExtent() {
      Extent next =
          new Extent(type, firstRow, rowCount, rowsPerPage, newPages, adoptedValidity, newValidity);
      long before = memoryBytes;
      next.memoryBytes = before == UNKNOWN ? UNKNOWN : before + grownBytes.sum();
      return next;
    }
  }
}
