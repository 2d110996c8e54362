package io.drayage.spark.write;

import io.drayage.cargo.ColumnType;
import java.lang.reflect.Array;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Pages of values of one width, with a loop for each type. A null has the value 0. */
final class FixedPages extends ColumnPages {
  private Object page;

  FixedPages(TaskColumn column, int ordinal) {
    super(column, ordinal);
    this.page = type().newPage(0);
  }

  @Override
  void appendValues(UnsafeRow[] from, int first, int ordinal, int count, int at) {
    grow(at, count);
    switch (type()) {
      case BOOLEAN -> {
        boolean[] to = (boolean[]) page;
        for (int i = 0; i < count; i++) {
          to[at + i] = from[first + i].getBoolean(ordinal);
        }
      }
      case BYTE -> {
        byte[] to = (byte[]) page;
        for (int i = 0; i < count; i++) {
          to[at + i] = from[first + i].getByte(ordinal);
        }
      }
      case SHORT -> {
        short[] to = (short[]) page;
        for (int i = 0; i < count; i++) {
          to[at + i] = from[first + i].getShort(ordinal);
        }
      }
      case INT -> { // and dates
        int[] to = (int[]) page;
        for (int i = 0; i < count; i++) {
          to[at + i] = from[first + i].getInt(ordinal);
        }
      }
      case LONG -> { // and timestamps, and decimals, whose digits a row has
        long[] to = (long[]) page;
        for (int i = 0; i < count; i++) {
          to[at + i] = from[first + i].getLong(ordinal);
        }
      }
      case FLOAT -> {
        float[] to = (float[]) page;
        for (int i = 0; i < count; i++) {
          to[at + i] = from[first + i].getFloat(ordinal);
        }
      }
      case DOUBLE -> {
        double[] to = (double[]) page;
        for (int i = 0; i < count; i++) {
          to[at + i] = from[first + i].getDouble(ordinal);
        }
      }
      case STRING -> throw new IllegalStateException("texts are no values of one width");
    }
  }

  private void grow(int at, int count) {
    int room = ColumnType.rowsOf(page);
    if (at + count > room) {
      Object larger = type().newPage(roomFor(at + count, room));
      System.arraycopy(page, 0, larger, 0, at);
      page = larger;
    }
  }

  @Override
  Object takePage(int rowsOfPage) {
    Object filled = page;
    page = type().newPage(0);
    if (Array.getLength(filled) > 2 * rowsOfPage) {
      Object exact = type().newPage(rowsOfPage);
      System.arraycopy(filled, 0, exact, 0, rowsOfPage);
      return exact;
    }
    return filled;
  }
}
