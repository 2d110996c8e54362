package io.drayage.store.column;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RowBits;
import org.jspecify.annotations.Nullable;

/**
 * Writes new values to their rows: {@code page[rowIds[i] - firstRow] = values[i]}.
 *
 * <p>The row ids must lie in the page. One typed loop for each type, so that nothing is boxed.
 */
final class Scatter {
  private Scatter() {}

  /**
   * Scatters {@code count} values.
   *
   * @param values a page of the update's values, read from {@code valueFrom} on
   * @param rowIds a page of the update's row ids, read from {@code idFrom} on
   * @param firstRow the row id that stands first in {@code page}
   */
  static void values(
      ColumnType type,
      Object values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    switch (type) {
      case BOOLEAN ->
          booleans((boolean[]) values, valueFrom, rowIds, idFrom, count, firstRow, page);
      case BYTE -> bytes((byte[]) values, valueFrom, rowIds, idFrom, count, firstRow, page);
      case SHORT -> shorts((short[]) values, valueFrom, rowIds, idFrom, count, firstRow, page);
      case INT -> ints((int[]) values, valueFrom, rowIds, idFrom, count, firstRow, page);
      case LONG -> longs((long[]) values, valueFrom, rowIds, idFrom, count, firstRow, page);
      case FLOAT -> floats((float[]) values, valueFrom, rowIds, idFrom, count, firstRow, page);
      case DOUBLE -> doubles((double[]) values, valueFrom, rowIds, idFrom, count, firstRow, page);
      case STRING -> strings((String[]) values, valueFrom, rowIds, idFrom, count, firstRow, page);
    }
  }

  private static void booleans(
      boolean[] values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    boolean[] target = (boolean[]) page;
    for (int i = 0; i < count; i++) {
      target[(int) (rowIds[idFrom + i] - firstRow)] = values[valueFrom + i];
    }
  }

  private static void bytes(
      byte[] values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    byte[] target = (byte[]) page;
    for (int i = 0; i < count; i++) {
      target[(int) (rowIds[idFrom + i] - firstRow)] = values[valueFrom + i];
    }
  }

  private static void shorts(
      short[] values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    short[] target = (short[]) page;
    for (int i = 0; i < count; i++) {
      target[(int) (rowIds[idFrom + i] - firstRow)] = values[valueFrom + i];
    }
  }

  private static void ints(
      int[] values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    int[] target = (int[]) page;
    for (int i = 0; i < count; i++) {
      target[(int) (rowIds[idFrom + i] - firstRow)] = values[valueFrom + i];
    }
  }

  private static void longs(
      long[] values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    long[] target = (long[]) page;
    for (int i = 0; i < count; i++) {
      target[(int) (rowIds[idFrom + i] - firstRow)] = values[valueFrom + i];
    }
  }

  private static void floats(
      float[] values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    float[] target = (float[]) page;
    for (int i = 0; i < count; i++) {
      target[(int) (rowIds[idFrom + i] - firstRow)] = values[valueFrom + i];
    }
  }

  private static void doubles(
      double[] values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    double[] target = (double[]) page;
    for (int i = 0; i < count; i++) {
      target[(int) (rowIds[idFrom + i] - firstRow)] = values[valueFrom + i];
    }
  }

  private static void strings(
      String[] values,
      int valueFrom,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      Object page) {
    String[] target = (String[]) page;
    for (int i = 0; i < count; i++) {
      target[(int) (rowIds[idFrom + i] - firstRow)] = values[valueFrom + i];
    }
  }

  /**
   * Sets a row's bit where the new value is a value, clears it where it is a null.
   *
   * @param validity the bits of all values of the update; null if none is null
   * @param firstUpdate the place of the first of the {@code count} values in {@code validity}
   */
  static void validity(
      @Nullable RowBits validity,
      long firstUpdate,
      long[] rowIds,
      int idFrom,
      int count,
      long firstRow,
      long[] page) {
    for (int i = 0; i < count; i++) {
      int row = (int) (rowIds[idFrom + i] - firstRow);
      long update = firstUpdate + i;
      long valid = validity == null ? 1 : (validity.word(update >>> 6) >>> update) & 1;
      page[row >>> 6] = (page[row >>> 6] & ~(1L << row)) | (valid << row);
    }
  }
}
