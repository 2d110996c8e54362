package io.drayage.store.column;

import io.drayage.cargo.ColumnType;

/**
 * Reads values back from their rows: {@code values[i] = page[rowIds[i] - firstRow]}, the inverse of
 * {@link Scatter}. The row ids must lie in the page.
 */
final class Gather {
  private Gather() {}

  /**
   * Gathers {@code count} values.
   *
   * @param page the page of the store
   * @param firstRow the row id that stands first in {@code page}
   * @param rowIds read from {@code idFrom} on
   * @param values filled from {@code valueFrom} on
   */
  static void values(
      ColumnType type,
      Object page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    switch (type) {
      case BOOLEAN ->
          booleans((boolean[]) page, firstRow, rowIds, idFrom, count, values, valueFrom);
      case BYTE -> bytes((byte[]) page, firstRow, rowIds, idFrom, count, values, valueFrom);
      case SHORT -> shorts((short[]) page, firstRow, rowIds, idFrom, count, values, valueFrom);
      case INT -> ints((int[]) page, firstRow, rowIds, idFrom, count, values, valueFrom);
      case LONG -> longs((long[]) page, firstRow, rowIds, idFrom, count, values, valueFrom);
      case FLOAT -> floats((float[]) page, firstRow, rowIds, idFrom, count, values, valueFrom);
      case DOUBLE -> doubles((double[]) page, firstRow, rowIds, idFrom, count, values, valueFrom);
      case STRING -> strings((String[]) page, firstRow, rowIds, idFrom, count, values, valueFrom);
    }
  }

  private static void booleans(
      boolean[] page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    boolean[] target = (boolean[]) values;
    for (int i = 0; i < count; i++) {
      target[valueFrom + i] = page[(int) (rowIds[idFrom + i] - firstRow)];
    }
  }

  private static void bytes(
      byte[] page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    byte[] target = (byte[]) values;
    for (int i = 0; i < count; i++) {
      target[valueFrom + i] = page[(int) (rowIds[idFrom + i] - firstRow)];
    }
  }

  private static void shorts(
      short[] page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    short[] target = (short[]) values;
    for (int i = 0; i < count; i++) {
      target[valueFrom + i] = page[(int) (rowIds[idFrom + i] - firstRow)];
    }
  }

  private static void ints(
      int[] page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    int[] target = (int[]) values;
    for (int i = 0; i < count; i++) {
      target[valueFrom + i] = page[(int) (rowIds[idFrom + i] - firstRow)];
    }
  }

  private static void longs(
      long[] page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    long[] target = (long[]) values;
    for (int i = 0; i < count; i++) {
      target[valueFrom + i] = page[(int) (rowIds[idFrom + i] - firstRow)];
    }
  }

  private static void floats(
      float[] page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    float[] target = (float[]) values;
    for (int i = 0; i < count; i++) {
      target[valueFrom + i] = page[(int) (rowIds[idFrom + i] - firstRow)];
    }
  }

  private static void doubles(
      double[] page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    double[] target = (double[]) values;
    for (int i = 0; i < count; i++) {
      target[valueFrom + i] = page[(int) (rowIds[idFrom + i] - firstRow)];
    }
  }

  private static void strings(
      String[] page,
      long firstRow,
      long[] rowIds,
      int idFrom,
      int count,
      Object values,
      int valueFrom) {
    String[] target = (String[]) values;
    for (int i = 0; i < count; i++) {
      target[valueFrom + i] = page[(int) (rowIds[idFrom + i] - firstRow)];
    }
  }
}
