package io.drayage.columnar.stream;

import io.drayage.cargo.ColumnType;

/** The kind of the values of a stream. Floating-point values are handled by their bits. */
public enum Kind {
  INT(false, false),
  LONG(true, false),
  FLOAT(false, true),
  DOUBLE(true, true);

  private final boolean wide;
  private final boolean floating;

  Kind(boolean wide, boolean floating) {
    this.wide = wide;
    this.floating = floating;
  }

  /** The kind of the values of a column of fixed width. */
  public static Kind of(ColumnType type) {
    return switch (type) {
      case BOOLEAN, BYTE, SHORT, INT -> INT;
      case LONG -> LONG;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      case STRING -> throw new IllegalArgumentException("texts have no fixed width");
    };
  }

  /** Whether a value has 64 bits; otherwise it has 32. */
  public boolean isWide() {
    return wide;
  }

  public boolean isFloating() {
    return floating;
  }

  /** Whether bits are those of a NaN. NaNs with different bits may count as equal. */
  public boolean isNaN(long value) {
    return floating
        && (wide ? Double.isNaN(Double.longBitsToDouble(value)) : Float.isNaN(floatOf(value)));
  }

  private static float floatOf(long value) {
    return Float.intBitsToFloat((int) value);
  }

  /** The kind of integers with as many bits. */
  public Kind ofBits() {
    return wide ? LONG : INT;
  }

  public int bits() {
    return wide ? Long.SIZE : Integer.SIZE;
  }

  public int bytes() {
    return wide ? Long.BYTES : Integer.BYTES;
  }
}
