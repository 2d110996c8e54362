package io.drayage.cargo;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills a column value by value, for sources that produce rows. Not thread-safe.
 *
 * <p>A value of the wrong type causes an {@link IllegalArgumentException} that names both types.
 */
public final class ColumnBuilder {
  private final ColumnType type;
  private final List<Object> fullPages = new ArrayList<>();
  private final List<BitSet> nullsByPage = new ArrayList<>();
  private final TextBuilder texts = new TextBuilder();
  private Object page;
  private int pageRows;

  /** Begins a column without rows. */
  public ColumnBuilder(ColumnType type) {
    this.type = type;
    this.page = type.newPage(ColumnValues.DEFAULT_ROWS_PER_PAGE);
  }

  /**
   * Adds a row to a column of {@link ColumnType#BOOLEAN}.
   *
   * @throws IllegalArgumentException if the column is of another type
   */
  public ColumnBuilder addBoolean(boolean value) {
    int row = next(ColumnType.BOOLEAN);
    ((boolean[]) page)[row] = value;
    return this;
  }

  /**
   * Adds a row to a column of {@link ColumnType#BYTE}.
   *
   * @throws IllegalArgumentException if the column is of another type
   */
  public ColumnBuilder addByte(byte value) {
    int row = next(ColumnType.BYTE);
    ((byte[]) page)[row] = value;
    return this;
  }

  /**
   * Adds a row to a column of {@link ColumnType#SHORT}.
   *
   * @throws IllegalArgumentException if the column is of another type
   */
  public ColumnBuilder addShort(short value) {
    int row = next(ColumnType.SHORT);
    ((short[]) page)[row] = value;
    return this;
  }

  /**
   * Adds a row to a column of {@link ColumnType#INT}.
   *
   * @throws IllegalArgumentException if the column is of another type
   */
  public ColumnBuilder addInt(int value) {
    int row = next(ColumnType.INT);
    ((int[]) page)[row] = value;
    return this;
  }

  /**
   * Adds a row to a column of {@link ColumnType#LONG}.
   *
   * @throws IllegalArgumentException if the column is of another type
   */
  public ColumnBuilder addLong(long value) {
    int row = next(ColumnType.LONG);
    ((long[]) page)[row] = value;
    return this;
  }

  /**
   * Adds a row to a column of {@link ColumnType#FLOAT}.
   *
   * @throws IllegalArgumentException if the column is of another type
   */
  public ColumnBuilder addFloat(float value) {
    int row = next(ColumnType.FLOAT);
    ((float[]) page)[row] = value;
    return this;
  }

  /**
   * Adds a row to a column of {@link ColumnType#DOUBLE}.
   *
   * @throws IllegalArgumentException if the column is of another type
   */
  public ColumnBuilder addDouble(double value) {
    int row = next(ColumnType.DOUBLE);
    ((double[]) page)[row] = value;
    return this;
  }

  /**
   * Adds a string, or a null.
   *
   * @throws IllegalArgumentException if the column is of another type
   * @throws IllegalTextException if the string has an unpaired surrogate
   */
  public ColumnBuilder addString(@Nullable String value) {
    return value == null ? addNull() : addText(() -> texts.add(value));
  }

  /**
   * Adds a text.
   *
   * @throws IllegalArgumentException if the column is of another type
   * @throws IllegalTextException if the text is no well-formed UTF-8
   */
  public ColumnBuilder addText(byte[] utf8, int from, int length) {
    return addText(() -> texts.add(utf8, from, length));
  }

  private ColumnBuilder addText(Runnable add) {
    int row = next(ColumnType.STRING);
    try {
      add.run();
      return this;
    } catch (IllegalTextException e) {
      pageRows = row;
      throw e.countedFrom(rowCount() - row);
    }
  }

  /**
   * Adds a boxed value of the column's type, or a null.
   *
   * @throws ClassCastException if the value is of another type
   */
  public ColumnBuilder add(@Nullable Object value) {
    if (value == null) {
      return addNull();
    }
    return switch (type) {
      case BOOLEAN -> addBoolean((Boolean) value);
      case BYTE -> addByte((Byte) value);
      case SHORT -> addShort((Short) value);
      case INT -> addInt((Integer) value);
      case LONG -> addLong((Long) value);
      case FLOAT -> addFloat((Float) value);
      case DOUBLE -> addDouble((Double) value);
      case STRING -> addString((String) value);
    };
  }

  /** Adds a null to a column of any type. */
  public ColumnBuilder addNull() {
    int row = next(type);
    if (!type.isFixedWidth()) {
      texts.add("");
    }
    while (nullsByPage.size() <= fullPages.size()) {
      nullsByPage.add(new BitSet());
    }
    nullsByPage.get(fullPages.size()).set(row);
    return this;
  }

  /** Number of rows added so far. */
  public long rowCount() {
    return (long) fullPages.size() * ColumnValues.DEFAULT_ROWS_PER_PAGE + pageRows;
  }

  /** Returns the column. The builder must not be used afterwards. */
  public ColumnValues build() {
    long rows = rowCount();
    if (pageRows > 0) {
      fullPages.add(last());
    }
    Object[] pages = (Object[]) Array.newInstance(type.pageClass(), fullPages.size());
    return ColumnValues.of(fullPages.toArray(pages), validity(rows));
  }

  private Object last() {
    if (!type.isFixedWidth()) {
      return texts.build();
    }
    Object last = type.newPage(pageRows);
    System.arraycopy(page, 0, last, 0, pageRows);
    return last;
  }

  private @Nullable RowBits validity(long rows) {
    if (nullsByPage.isEmpty()) {
      return null;
    }
    RowBits validity = RowBits.allSet(rows);
    for (int p = 0; p < nullsByPage.size(); p++) {
      long firstRow = (long) p * ColumnValues.DEFAULT_ROWS_PER_PAGE;
      nullsByPage.get(p).stream().forEach(row -> validity.clear(firstRow + row));
    }
    return validity;
  }

  private int next(ColumnType expected) {
    if (expected != type) {
      throw new IllegalArgumentException(
          "a value of %s was added to a column of %s".formatted(expected, type));
    }
    if (pageRows == ColumnValues.DEFAULT_ROWS_PER_PAGE) {
      fullPages.add(type.isFixedWidth() ? page : texts.build());
      page = type.newPage(ColumnValues.DEFAULT_ROWS_PER_PAGE);
      pageRows = 0;
    }
    return pageRows++;
  }
}
