package io.drayage.spark.write;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Copies of some rows, so that each column can be read in its own loop: Spark passes the same row
 * object repeatedly. Not thread-safe.
 */
final class RowBatch {
  /** A divisor of the rows of a page, and a multiple of 64. */
  static final int ROWS = 1_024;

  private static final int FIRST_BYTES = 64 << 10;
  private static final int MAX_BYTES = 64 << 20;

  private final StructType schema;
  private final UnsafeRow[] rows = new UnsafeRow[ROWS];
  private byte[] bytes = new byte[FIRST_BYTES];
  private int used;
  private int count;

  /** Converts rows of other formats; created for the first such row. */
  private @Nullable UnsafeProjection projection;

  RowBatch(StructType schema) {
    this.schema = schema;
    for (int i = 0; i < ROWS; i++) {
      rows[i] = new UnsafeRow(schema.size());
    }
  }

  /** Copies a row; the batch must not be full. */
  void add(InternalRow row) {
    UnsafeRow from = row instanceof UnsafeRow unsafe ? unsafe : project(row);
    int length = from.getSizeInBytes();
    if (length > bytes.length - used) {
      // Earlier rows keep the former array.
      bytes = new byte[Math.max(length, (int) Math.min(MAX_BYTES, 2L * bytes.length))];
      used = 0;
    }
    long at = (long) Platform.BYTE_ARRAY_OFFSET + used;
    Platform.copyMemory(from.getBaseObject(), from.getBaseOffset(), bytes, at, length);
    rows[count++].pointTo(bytes, at, length);
    used += length;
  }

  private UnsafeRow project(InternalRow row) {
    UnsafeProjection known = projection;
    if (known == null) {
      known = UnsafeProjection.create(schema);
      projection = known;
    }
    return known.apply(row);
  }

  boolean isFull() {
    return count == ROWS;
  }

  int count() {
    return count;
  }

  /** Returns an array, whose first {@link #count} elements are rows. */
  UnsafeRow[] rows() {
    return rows;
  }

  void clear() {
    count = 0;
    used = 0;
  }
}
