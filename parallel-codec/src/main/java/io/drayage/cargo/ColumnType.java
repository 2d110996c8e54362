package io.drayage.cargo;

import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * The type of a column's values.
 *
 * <p>A wire or a file has the numeric {@link #id()}, which never changes.
 */
public enum ColumnType {
  /** One byte in memory. */
  BOOLEAN(1, 1, boolean[].class),
  /** 8 bits, signed. */
  BYTE(2, 1, byte[].class),
  /** 16 bits, signed. */
  SHORT(3, 2, short[].class),
  /** 32 bits, signed. */
  INT(4, 4, int[].class),
  /** 64 bits, signed. */
  LONG(5, 8, long[].class),
  /** 32 bits of IEEE 754; the bits of a NaN are kept. */
  FLOAT(6, 4, float[].class),
  /** 64 bits of IEEE 754; the bits of a NaN are kept. */
  DOUBLE(7, 8, double[].class),
  /** Text: well-formed UTF-8. */
  STRING(8, 0, TextPage.class);

  private final int id;
  private final int widthBytes;
  private final Class<?> pageClass;

  ColumnType(int id, int widthBytes, Class<?> pageClass) {
    this.id = id;
    this.widthBytes = widthBytes;
    this.pageClass = pageClass;
  }

  /** The frozen number of this type on the wire. */
  public int id() {
    return id;
  }

  /** Bytes of one raw value, or 0 for {@link #STRING}, whose values vary. */
  public int widthBytes() {
    return widthBytes;
  }

  /** Whether all values have the same number of bytes. */
  public boolean isFixedWidth() {
    return widthBytes > 0;
  }

  /** The class of one page of values: {@code int[].class} for {@link #INT}. */
  public Class<?> pageClass() {
    return pageClass;
  }

  /** A page of {@code rows} default values: 0, false or the empty text. */
  public Object newPage(int rows) {
    return this == STRING
        ? new TextPage(rows)
        : Array.newInstance(pageClass.getComponentType(), rows);
  }

  /** The boxed value of a row of a page of this type. For tests and displays. */
  public Object get(Object page, int row) {
    return page instanceof TextPage texts ? texts.get(row) : Array.get(page, row);
  }

  /** Number of values of a page of any type, spare ones included. */
  public static int rowsOf(Object page) {
    return page instanceof TextPage texts ? texts.rows() : Array.getLength(page);
  }

  /**
   * Copies values of a page of this type into another page. The bytes of texts are shared.
   *
   * @param to if it is a page of texts, these rows of it must have no text yet
   */
  public void copy(Object from, int fromRow, Object to, int toRow, int count) {
    if (this == STRING) {
      ((TextPage) to).put(toRow, (TextPage) from, fromRow, count);
    } else {
      System.arraycopy(from, fromRow, to, toRow, count);
    }
  }

  /** The type with pages of {@code pageClass}. */
  static ColumnType ofPageClass(Class<?> pageClass) {
    return Arrays.stream(values())
        .filter(type -> type.pageClass == pageClass)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no column type has pages of " + pageClass));
  }

  /**
   * The type with this wire number.
   *
   * @throws IllegalArgumentException if there is none; the message has the number
   */
  public static ColumnType ofId(int id) {
    if (id < 1 || id > BY_ID.length) {
      throw new IllegalArgumentException(
          "column type " + id + " is unknown (known: 1 to " + BY_ID.length + ")");
    }
    return BY_ID[id - 1];
  }

  private static final ColumnType[] BY_ID = values();
}
