package io.drayage.study.sikdar.form;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextBuilder;
import io.drayage.cargo.TextPage;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import java.lang.reflect.Array;
import java.util.Arrays;

/** The values of one field, to be written or read one after the other. Not thread-safe. */
final class Column {
  private static final int INITIAL_ROWS = 64;

  private final ColumnType type;
  private final TextBuilder texts = new TextBuilder();

  /** An array, or a page of texts that is read. */
  private Object values;

  private int rows;
  private int next;

  Column(ColumnType type) {
    this.type = type;
    this.values = type.newPage(INITIAL_ROWS);
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
    require(ColumnType.STRING);
    texts.add(value);
    rows++;
  }

  private void require(ColumnType expected) {
    if (type != expected) {
      throw new IllegalStateException("%s in a column of %s".formatted(expected, type));
    }
  }

  private Object room(ColumnType expected) {
    require(expected);
    if (rows == Array.getLength(values)) {
      values = resized(2 * rows);
    }
    return values;
  }

  private Object resized(int length) {
    return switch (type) {
      case INT -> Arrays.copyOf((int[]) values, length);
      case DOUBLE -> Arrays.copyOf((double[]) values, length);
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
    return ((TextPage) values).get(next++);
  }

  ColumnValues content() {
    Object[] pages = (Object[]) Array.newInstance(type.pageClass(), 1);
    pages[0] = type == ColumnType.STRING ? texts.build() : resized(rows);
    return ColumnValues.of(pages, null);
  }

  /** All rows of a column as one segment. */
  static Segment segment(ColumnValues content) {
    return segment(
        content.type(), Math.toIntExact(content.rowCount()), CargoSize.rawBytes(content));
  }

  static Segment segment(ColumnType type, int rows, long rawBytes) {
    Part part =
        new Part(0, "objects", PartKind.INSERTED_VALUES, "field", type, false, rows, rawBytes);
    return new Segment(0, part, 0, rows);
  }
}
