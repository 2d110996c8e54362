package io.drayage.spark.read;

import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The rows of a column that are not deleted. */
final class SelectedVector extends ColumnVector {
  private final ColumnVector all;
  private final int[] rows;

  /**
   * @param rows index in {@code all} of each row
   */
  SelectedVector(ColumnVector all, int[] rows) {
    super(all.dataType());
    this.all = all;
    this.rows = rows;
  }

  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    return all.hasNull();
  }

  @Override
  public int numNulls() {
    int nulls = 0;
    for (int row = 0; row < rows.length && all.hasNull(); row++) {
      nulls += isNullAt(row) ? 1 : 0;
    }
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return all.isNullAt(rows[row]);
  }

  @Override
  public boolean getBoolean(int row) {
    return all.getBoolean(rows[row]);
  }

  @Override
  public byte getByte(int row) {
    return all.getByte(rows[row]);
  }

  @Override
  public short getShort(int row) {
    return all.getShort(rows[row]);
  }

  @Override
  public int getInt(int row) {
    return all.getInt(rows[row]);
  }

  @Override
  public long getLong(int row) {
    return all.getLong(rows[row]);
  }

  @Override
  public float getFloat(int row) {
    return all.getFloat(rows[row]);
  }

  @Override
  public double getDouble(int row) {
    return all.getDouble(rows[row]);
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    return all.getDecimal(rows[row], precision, scale);
  }

  @Override
  public @Nullable UTF8String getUTF8String(int row) {
    return all.getUTF8String(rows[row]);
  }

  @Override
  public byte[] getBinary(int row) {
    return all.getBinary(rows[row]);
  }

  @Override
  public ColumnarArray getArray(int row) {
    return all.getArray(rows[row]);
  }

  @Override
  public ColumnarMap getMap(int row) {
    return all.getMap(rows[row]);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return all.getChild(ordinal);
  }
}
