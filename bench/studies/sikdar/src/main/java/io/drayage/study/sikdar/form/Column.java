package io.drayage.study.sikdar.form;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The values of one field, to be written or read one after the other. Not thread-safe. */
final class Column {
  private static final int INITIAL_ROWS = 64;
  private static final int TEXT_LENGTH_BYTES = 4;

  private final ColumnType type;
  private Object values;
  private int rows;
  private int next;
  private long textBytes;

  Column(ColumnType type) {
    this.type = type;
    this.values = Array.newInstance(type.pageClass().getComponentType(), INITIAL_ROWS);
  }

  /** A column to read. */
  Column(ColumnValues content) {
    this.type = content.type();
    this.rows = Math.toIntExact(content.rowCount());
    this.values = content.page(0);
  }

  ColumnType type() {
    return type;
  }

  int rows() {
    return rows;
  }

  void add(int value) {
    ((int[]) room(ColumnType.INT))[rows++] = value;
  }

  void add(double value) {
    ((double[]) room(ColumnType.DOUBLE))[rows++] = value;
  }

  void add(String value) {
    ((String[]) room(ColumnType.STRING))[rows++] = value;
    textBytes += TEXT_LENGTH_BYTES + value.getBytes(StandardCharsets.UTF_8).length;
  }

  private Object room(ColumnType expected) {
    if (type != expected) {
      throw new IllegalStateException("%s in a column of %s".formatted(expected, type));
    }
    if (rows == Array.getLength(values)) {
      values = resized(2 * rows);
    }
    return values;
  }

  private Object resized(int length) {
    return switch (type) {
      case INT -> Arrays.copyOf((int[]) values, length);
      case DOUBLE -> Arrays.copyOf((double[]) values, length);
      case STRING -> Arrays.copyOf((String[]) values, length);
      default -> throw new IllegalStateException(type.toString());
    };
  }

  int nextInt() {
    return ((int[]) values)[next++];
  }

  double nextDouble() {
    return ((double[]) values)[next++];
  }

  String nextString() {
    return ((String[]) values)[next++];
  }

  ColumnValues content() {
    Object[] pages = (Object[]) Array.newInstance(type.pageClass(), 1);
    pages[0] = resized(rows);
    return ColumnValues.of(pages, null);
  }

  /** All rows as one segment. */
  Segment segment() {
    long rawBytes = type.isFixedWidth() ? (long) rows * type.widthBytes() : textBytes;
    return segment(type, rows, rawBytes);
  }

  static Segment segment(ColumnType type, int rows, long rawBytes) {
    Part part =
        new Part(0, "objects", PartKind.INSERTED_VALUES, "field", type, false, rows, rawBytes);
    return new Segment(0, part, 0, rows);
  }
}
