package io.drayage.codec;

import io.drayage.cargo.ColumnValues;
import java.nio.ByteBuffer;

/** Copies values of fixed width between the pages of a column and a buffer, in bulk. */
public final class BulkValues {
  /** Size of the staging buffer for booleans, which have no bulk copy. */
  private static final int STAGING_BYTES = 8_192;

  private final byte[] staging = new byte[STAGING_BYTES];

  /**
   * Copies the values of some rows of a column of fixed width to {@code target}. Moves the position
   * of {@code target} behind the values. Does not write which values are null.
   */
  public void write(ColumnValues values, long firstRow, int rowCount, ByteBuffer target) {
    int width = values.type().widthBytes();
    for (int done = 0; done < rowCount; ) {
      int offset = values.offsetOf(firstRow + done);
      int count = Math.min(rowCount - done, values.rowsPerPage() - offset);
      put(values.page(values.pageOf(firstRow + done)), offset, count, target);
      if (!isByteWise(values)) {
        target.position(target.position() + count * width);
      }
      done += count;
    }
  }

  /**
   * Copies values from {@code source} into some rows of a column of fixed width. Moves the position
   * of {@code source} behind the values. Does not change which values are null.
   */
  public void read(ByteBuffer source, ColumnValues values, long firstRow, int rowCount) {
    int width = values.type().widthBytes();
    for (int done = 0; done < rowCount; ) {
      int offset = values.offsetOf(firstRow + done);
      int count = Math.min(rowCount - done, values.rowsPerPage() - offset);
      get(source, values.pageForWrite(values.pageOf(firstRow + done)), offset, count);
      if (!isByteWise(values)) {
        source.position(source.position() + count * width);
      }
      done += count;
    }
  }

  /** Whether the copy moves the buffer's own position, not the position of a view. */
  private static boolean isByteWise(ColumnValues values) {
    return values.type().widthBytes() == 1;
  }

  private void put(Object page, int offset, int count, ByteBuffer target) {
    if (page instanceof long[] longs) {
      target.asLongBuffer().put(longs, offset, count);
    } else if (page instanceof int[] ints) {
      target.asIntBuffer().put(ints, offset, count);
    } else if (page instanceof double[] doubles) {
      target.asDoubleBuffer().put(doubles, offset, count);
    } else if (page instanceof float[] floats) {
      target.asFloatBuffer().put(floats, offset, count);
    } else if (page instanceof short[] shorts) {
      target.asShortBuffer().put(shorts, offset, count);
    } else if (page instanceof byte[] bytes) {
      target.put(bytes, offset, count);
    } else {
      putBooleans((boolean[]) page, offset, count, target);
    }
  }

  private void get(ByteBuffer source, Object page, int offset, int count) {
    if (page instanceof long[] longs) {
      source.asLongBuffer().get(longs, offset, count);
    } else if (page instanceof int[] ints) {
      source.asIntBuffer().get(ints, offset, count);
    } else if (page instanceof double[] doubles) {
      source.asDoubleBuffer().get(doubles, offset, count);
    } else if (page instanceof float[] floats) {
      source.asFloatBuffer().get(floats, offset, count);
    } else if (page instanceof short[] shorts) {
      source.asShortBuffer().get(shorts, offset, count);
    } else if (page instanceof byte[] bytes) {
      source.get(bytes, offset, count);
    } else {
      getBooleans(source, (boolean[]) page, offset, count);
    }
  }

  private void putBooleans(boolean[] page, int offset, int count, ByteBuffer target) {
    for (int done = 0; done < count; ) {
      int batch = Math.min(STAGING_BYTES, count - done);
      for (int i = 0; i < batch; i++) {
        staging[i] = (byte) (page[offset + done + i] ? 1 : 0);
      }
      target.put(staging, 0, batch);
      done += batch;
    }
  }

  private void getBooleans(ByteBuffer source, boolean[] page, int offset, int count) {
    for (int done = 0; done < count; ) {
      int batch = Math.min(STAGING_BYTES, count - done);
      source.get(staging, 0, batch);
      for (int i = 0; i < batch; i++) {
        page[offset + done + i] = staging[i] != 0;
      }
      done += batch;
    }
  }
}
