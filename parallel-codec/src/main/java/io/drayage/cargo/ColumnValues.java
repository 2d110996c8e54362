package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.NotSerializableException;
import java.io.Serial;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values of one column: pages of one type, and a validity bit for each value. A page is an
 * array of primitives, or a {@link TextPage}.
 *
 * <p>Every page but the last has {@link #rowsPerPage()} rows; the last has one to that many. The
 * column uses the pages as they are, without a copy: the caller must not change them once the
 * column is part of a {@link ChangeCargo}. Any thread may read.
 *
 * <p>The array of the last page may be longer than its rows, up to {@link #rowsPerPage()}. Spare
 * room occurs in databases that allocate whole pages. Values in spare room mean nothing. {@link
 * #rowsInPage} has the rows of a page, not the length of the array. Only a serializer of object
 * graphs ships spare room. Spare room counts neither as raw bytes nor in a digest.
 *
 * <p>Nulls are the clear bits of {@link #validity()}. The value in a null place means nothing.
 *
 * <p>A column of {@link #onDemand} has no pages in memory. Each page is made when it is asked for,
 * and not kept. Such a column can be shipped and digested like any other. Such a column cannot be
 * written to, nor put into an object stream, which would hold all of its pages at once.
 */
public final class ColumnValues implements PartContent, Serializable {
  /** Rows in a page that this library makes: 512 KiB of longs. */
  public static final int DEFAULT_ROWS_PER_PAGE = 65_536;

  /** The most rows of a column: 2^40. */
  public static final long MAX_ROWS = 1L << 40;

  @Serial private static final long serialVersionUID = 1;
  private static final VarHandle PAGE_SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  private final ColumnType type;
  private final long rowCount;
  private final int rowsPerPage;

  /** The pages, in an array of the type's own class ({@code int[][]} for ints): so serializable. */
  @SuppressWarnings("serial")
  private final Object[] pages;

  private final @Nullable RowBits validity;

  /** The source of the pages of a column on demand, which has no pages of its own. */
  private final transient @Nullable PageSource source;

  private ColumnValues(
      ColumnType type,
      long rowCount,
      int rowsPerPage,
      Object[] pages,
      @Nullable RowBits validity,
      @Nullable PageSource source) {
    this.type = type;
    this.rowCount = rowCount;
    this.rowsPerPage = rowsPerPage;
    this.pages = pages;
    this.validity = validity;
    this.source = source;
  }

  /**
   * A column over existing pages, without spare room: as many rows as the pages have elements.
   *
   * @param pages a two-dimensional array of a column type: {@code long[][]}, {@code TextPage[]}
   * @param validity a bit for each row, clear where the value is null; null if no value is null
   * @throws IllegalArgumentException if a page is missing or ragged, or if the number of bits is
   *     not that of the rows
   */
  public static ColumnValues of(Object[] pages, @Nullable RowBits validity) {
    return of(pages, checkedRoom(pages), validity);
  }

  /**
   * A column over existing pages. The last page may have spare room behind its rows.
   *
   * @param pages a two-dimensional array of a column type: {@code long[][]}, {@code TextPage[]}
   * @param rowCount the rows; the last page holds at least one of them
   * @param validity a bit for each row, clear where the value is null; null if no value is null
   * @throws IllegalArgumentException if a page is missing or ragged, if the rows do not end in the
   *     last page, or if the number of bits is not that of the rows
   */
  public static ColumnValues of(Object[] pages, long rowCount, @Nullable RowBits validity) {
    ColumnType type = ColumnType.ofPageClass(pages.getClass().getComponentType());
    long room = checkedRoom(pages);
    long roomBeforeLast = pages.length == 0 ? -1 : room - pageLength(pages, pages.length - 1);
    if (rowCount <= roomBeforeLast || rowCount > room) {
      throw new IllegalArgumentException(
          format(
              "%,d rows do not end in the last of %,d pages: expected %,d to %,d",
              rowCount, pages.length, roomBeforeLast + 1, room));
    }
    requireRowCount(rowCount);
    checkValidity(rowCount, validity);
    int rowsPerPage = pages.length == 0 ? DEFAULT_ROWS_PER_PAGE : pageLength(pages, 0);
    return new ColumnValues(type, rowCount, rowsPerPage, pages, validity, null);
  }

  /** Number of elements of all pages. Checks that no page is missing or ragged. */
  private static long checkedRoom(Object[] pages) {
    int rowsPerPage = pages.length == 0 ? 0 : Math.max(1, pageLength(pages, 0));
    long room = 0;
    for (int p = 0; p < pages.length; p++) {
      int length = pageLength(pages, p);
      boolean last = p == pages.length - 1;
      if (last ? length < 1 || length > rowsPerPage : length != rowsPerPage) {
        throw new IllegalArgumentException(
            format(
                "ragged pages: page %,d of %,d has %,d rows, expected %s%,d",
                p, pages.length, length, last ? "1 to " : "", rowsPerPage));
      }
      room += length;
    }
    return room;
  }

  /** A column over existing pages without nulls, as {@link #of(Object[], RowBits)}. */
  public static ColumnValues of(Object[] pages) {
    return of(pages, null);
  }

  /**
   * A column of copies of strings, page by page. A null string becomes a null of the column.
   *
   * @throws IllegalTextException if a string has an unpaired surrogate
   * @throws IllegalArgumentException if the pages are ragged
   */
  public static ColumnValues ofTexts(@Nullable String[]... pages) {
    TextPage[] texts = new TextPage[pages.length];
    BitSet nulls = new BitSet();
    int rows = 0;
    for (int p = 0; p < pages.length; p++) {
      try {
        texts[p] = TextPage.of(pages[p]);
      } catch (IllegalTextException e) {
        throw e.countedFrom(rows);
      }
      for (@Nullable String text : pages[p]) {
        nulls.set(rows++, text == null);
      }
    }
    RowBits validity = nulls.isEmpty() ? null : RowBits.allSet(rows);
    if (validity != null) {
      nulls.stream().forEach(validity::clear);
    }
    return of(texts, validity);
  }

  /**
   * A column of {@code rowCount} rows to be filled in through {@link #pageForWrite}, in pages of
   * {@link #DEFAULT_ROWS_PER_PAGE}. A page is allocated at its first write; only the table of pages
   * is allocated now.
   *
   * @param nullable whether the column has validity bits, all set at first
   */
  public static ColumnValues allocate(ColumnType type, long rowCount, boolean nullable) {
    requireRowCount(rowCount);
    int pageCount = (int) ((rowCount + DEFAULT_ROWS_PER_PAGE - 1) / DEFAULT_ROWS_PER_PAGE);
    Object[] pages = (Object[]) Array.newInstance(type.pageClass(), pageCount);
    RowBits validity = nullable ? RowBits.allSet(rowCount) : null;
    return new ColumnValues(type, rowCount, DEFAULT_ROWS_PER_PAGE, pages, validity, null);
  }

  /** A column without nulls whose pages are made when they are asked for. */
  public static ColumnValues onDemand(
      ColumnType type, long rowCount, int rowsPerPage, PageSource source) {
    return onDemand(type, rowCount, rowsPerPage, source, null);
  }

  /**
   * A column whose pages are made whenever they are asked for, and not kept.
   *
   * @param rowsPerPage rows in every page but the last; best {@link #DEFAULT_ROWS_PER_PAGE}, or a
   *     divisor of it, so that no page is made for two segments
   * @param source makes the pages
   * @param validity a bit for each row, clear where the value is null; null if no value is null.
   *     The bits are in memory
   * @throws IllegalArgumentException if the number of rows is negative or too large, or if the
   *     number of bits is not that of the rows
   */
  public static ColumnValues onDemand(
      ColumnType type,
      long rowCount,
      int rowsPerPage,
      PageSource source,
      @Nullable RowBits validity) {
    requireRowCount(rowCount);
    if (rowsPerPage < 1 || (rowCount - 1) / rowsPerPage >= Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          format("%,d rows cannot be in pages of %,d", rowCount, rowsPerPage));
    }
    checkValidity(rowCount, validity);
    Object[] none = (Object[]) Array.newInstance(type.pageClass(), 0);
    return new ColumnValues(type, rowCount, rowsPerPage, none, validity, source);
  }

  static void requireRowCount(long rowCount) {
    if (rowCount < 0 || rowCount > MAX_ROWS) {
      throw new IllegalArgumentException(
          format("%,d rows are outside 0 to %,d", rowCount, MAX_ROWS));
    }
  }

  private static int pageLength(Object[] pages, int page) {
    if (pages[page] == null) {
      throw new IllegalArgumentException(format("page %,d of %,d is missing", page, pages.length));
    }
    return ColumnType.rowsOf(pages[page]);
  }

  private static void checkValidity(long rowCount, @Nullable RowBits validity) {
    if (validity != null && validity.size() != rowCount) {
      throw new IllegalArgumentException(
          format("%,d validity bits for %,d rows", validity.size(), rowCount));
    }
  }

  /** The type of all values. */
  public ColumnType type() {
    return type;
  }

  /** Number of rows, nulls included. */
  public long rowCount() {
    return rowCount;
  }

  /** Rows in every page but the last. */
  public int rowsPerPage() {
    return rowsPerPage;
  }

  /** Number of pages. The last may be shorter than the others. */
  public int pageCount() {
    return source == null ? pages.length : (int) ((rowCount + rowsPerPage - 1) / rowsPerPage);
  }

  /** Whether pages are made when they are asked for. Then ask for each as rarely as possible. */
  public boolean isOnDemand() {
    return source != null;
  }

  /**
   * Returns this column for one thread that will read rows {@code firstRow} to {@code firstRow +
   * rows - 1}, more than once or out of order. A page on demand of these rows is made only once.
   */
  public ColumnValues pinned(long firstRow, int rows) {
    if (source == null || rows == 0) {
      return this;
    }
    int firstPage = pageOf(firstRow);
    int count = pageOf(firstRow + rows - 1) - firstPage + 1;
    PageSource held = new PinnedPages(this, firstPage, count);
    return new ColumnValues(type, rowCount, rowsPerPage, pages, validity, held);
  }

  /**
   * Page {@code page}, for reading: an array or a {@link TextPage}. The first {@link #rowsInPage}
   * elements are rows.
   *
   * @throws IllegalStateException if the source of a column on demand made no such page
   */
  public Object page(int page) {
    return source == null ? pages[page] : make(source, page);
  }

  /** Page {@code page} of a column of texts, as {@link #page}. */
  public TextPage texts(int page) {
    return (TextPage) page(page);
  }

  /** The approximate number of bytes of a text, if known without making a page; otherwise 0. */
  public int typicalTextBytes() {
    return source == null ? 0 : source.typicalTextBytes();
  }

  private Object make(PageSource from, int page) {
    Objects.checkIndex(page, pageCount());
    Object made = from.page(page);
    int length = type.pageClass().isInstance(made) ? ColumnType.rowsOf(made) : -1;
    if (length < rowsInPage(page) || length > rowsPerPage) {
      throw new IllegalStateException(
          format(
              "page %,d on demand is no %s of %,d to %,d elements",
              page, type.pageClass().getSimpleName(), rowsInPage(page), rowsPerPage));
    }
    return made;
  }

  /** Number of rows in page {@code page}. */
  public int rowsInPage(int page) {
    return (int) Math.min(rowsPerPage, rowCount - (long) page * rowsPerPage);
  }

  /**
   * Page {@code page}, for writing. The first thread that asks for the page allocates it: so the
   * threads that fill a large column share the cost of zeroing it.
   *
   * @throws UnsupportedOperationException if pages are made on demand
   */
  public Object pageForWrite(int page) {
    if (source != null) {
      throw new UnsupportedOperationException("a column on demand cannot be written to");
    }
    Object existing = PAGE_SLOT.getAcquire(pages, page);
    if (existing != null) {
      return existing;
    }
    Object fresh = type.newPage(rowsInPage(page));
    Object winner = PAGE_SLOT.compareAndExchange(pages, page, null, fresh);
    return winner == null ? fresh : winner;
  }

  /** The validity bits, clear where a value is null; null if the column has none. */
  public @Nullable RowBits validity() {
    return validity;
  }

  /** Whether the value of {@code row} is null. */
  public boolean isNull(long row) {
    Objects.checkIndex(row, rowCount);
    return validity != null && !validity.get(row);
  }

  /** The boxed value of {@code row}, or null. For tests and displays; a loop should read pages. */
  public @Nullable Object get(long row) {
    return isNull(row) ? null : type.get(page(pageOf(row)), offsetOf(row));
  }

  /**
   * A copy of all rows as one array: {@code long[]}, {@code String[]}. The element of a null is
   * null in an array of texts, and means nothing in an array of primitives.
   *
   * @throws ArithmeticException if there are more rows than an array can hold
   */
  public Object toArray() {
    int rows = Math.toIntExact(rowCount);
    if (type == ColumnType.STRING) {
      @Nullable String[] texts = new String[rows];
      for (int row = 0; row < rows; row++) {
        texts[row] = (String) get(row);
      }
      return texts;
    }
    Object all = type.newPage(rows);
    for (int p = 0; p < pageCount(); p++) {
      System.arraycopy(page(p), 0, all, p * rowsPerPage, rowsInPage(p));
    }
    return all;
  }

  /**
   * A copy of all rows as one array of a known class.
   *
   * @param arrayClass {@code long[].class}, {@code String[].class}
   * @throws IllegalArgumentException if the column has another type; then nothing is copied
   * @throws ArithmeticException if there are more rows than an array can hold
   */
  public <A> A toArray(Class<A> arrayClass) {
    Class<?> own = type == ColumnType.STRING ? String[].class : type.pageClass();
    if (own != arrayClass) {
      throw new IllegalArgumentException(
          "a column of %s is an array of the class %s, not %s"
              .formatted(type, own.getSimpleName(), arrayClass.getSimpleName()));
    }
    return arrayClass.cast(toArray());
  }

  /** Index of the page that holds {@code row}. */
  public int pageOf(long row) {
    return (int) (row / rowsPerPage);
  }

  /** Index of {@code row} in its page. */
  public int offsetOf(long row) {
    return (int) (row % rowsPerPage);
  }

  /** Bytes of the values in their raw form, with validity bits, without texts. */
  public long fixedBytes() {
    return rowCount * type.widthBytes() + (validity == null ? 0 : validity.wordCount() * 8);
  }

  @Override
  public String toString() {
    return format("ColumnValues[%s, %,d rows]", type, rowCount);
  }

  /** Refuses a column on demand: an object stream would hold every page until it is closed. */
  @Serial
  private Object writeReplace() throws NotSerializableException {
    if (source != null) {
      throw new NotSerializableException(
          "%s is made on demand: an object stream would hold all of its pages".formatted(this));
    }
    return this;
  }

  /** Checks a column from an object stream as strictly as one from a user. */
  @Serial
  private Object readResolve() {
    ColumnValues checked = of(pages, rowCount, validity);
    if (checked.type != type) {
      throw new IllegalArgumentException(
          "the pages hold %s, the column says %s".formatted(checked.type, type));
    }
    return checked;
  }
}
