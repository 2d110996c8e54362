package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;

/** Copies values of fixed width, in bulk if Arrow's layout is that of an array. */
final class FixedVectors {
  private static final int DECIMAL_BYTES = 16;

  /** Number of decimals that fit into a CPU cache. */
  private static final int DECIMALS_AT_ONCE = 1_024;

  /** The limit of rows in a copy: a view of a buffer has at most 2^31 bytes. */
  private static final int MAX_RUN_ROWS = 1 << 20;

  private FixedVectors() {}

  /** Copies rows into a vector that gets new buffers. */
  static void fill(FieldVector vector, ColumnValues from, long firstRow, int rows) {
    vector.setInitialCapacity(rows);
    vector.allocateNew();
    VectorBits.fill(vector.getValidityBuffer(), from.validity(), firstRow, rows);
    ArrowBuf data = vector.getDataBuffer();
    if (from.type() == ColumnType.BOOLEAN) {
      fillFlags(data, from, firstRow, rows);
    } else if (vector instanceof DecimalVector) {
      fillDecimals(data, from, firstRow, rows);
    } else {
      BulkValues bulk = new BulkValues();
      for (int done = 0; done < rows; ) {
        int count = Math.min(MAX_RUN_ROWS, rows - done);
        bulk.write(from, firstRow + done, count, bytes(data, from.type(), done, count));
        done += count;
      }
    }
    vector.setValueCount(rows);
  }

  private static void fillFlags(ArrowBuf bits, ColumnValues from, long firstRow, int rows) {
    long word = 0;
    for (int done = 0; done < rows; ) {
      int page = from.pageOf(firstRow + done);
      int offset = from.offsetOf(firstRow + done);
      int count = Math.min(rows - done, from.rowsInPage(page) - offset);
      boolean[] flags = (boolean[]) from.page(page);
      for (int i = 0; i < count; i++) {
        int at = done + i;
        word |= (flags[offset + i] ? 1L : 0L) << at;
        if ((at & 63) == 63 || at == rows - 1) {
          VectorBits.set(bits, at >>> 6, word);
          word = 0;
        }
      }
      done += count;
    }
  }

  private static void fillDecimals(ArrowBuf data, ColumnValues from, long firstRow, int rows) {
    for (int done = 0; done < rows; ) {
      int page = from.pageOf(firstRow + done);
      int offset = from.offsetOf(firstRow + done);
      int count = Math.min(rows - done, from.rowsInPage(page) - offset);
      long[] values = (long[]) from.page(page);
      for (int i = 0; i < count; i++) {
        long at = (long) (done + i) * DECIMAL_BYTES;
        data.setLong(at, values[offset + i]);
        data.setLong(at + Long.BYTES, values[offset + i] >> (Long.SIZE - 1));
      }
      done += count;
    }
  }

  /** Copies rows of a vector, with 0 in the place of a null. */
  static void drain(FieldVector vector, int first, int rows, ColumnValues to, long firstRow) {
    BulkValues bulk = new BulkValues();
    ArrowBuf data = vector.getDataBuffer();
    boolean hasNulls = rows > 0 && vector.getNullCount() > 0;
    for (int done = 0; done < rows; ) {
      long row = firstRow + done;
      int page = to.pageOf(row);
      int count = Math.min(rows - done, to.rowsInPage(page) - to.offsetOf(row));
      int from = first + done;
      if (to.type() == ColumnType.BOOLEAN) {
        drainFlags(data, from, count, (boolean[]) to.pageForWrite(page), to.offsetOf(row));
      } else if (vector instanceof DecimalVector) {
        drainDecimals(vector, from, count, (long[]) to.pageForWrite(page), to.offsetOf(row));
      } else {
        bulk.read(bytes(data, to.type(), from, count), to, row, count);
      }
      if (hasNulls) {
        clearNulls(
            vector.getValidityBuffer(), from, count, to.pageForWrite(page), to.offsetOf(row));
      }
      done += count;
    }
  }

  private static void drainFlags(ArrowBuf bits, int from, int count, boolean[] page, int at) {
    for (int done = 0; done < count; done += Long.SIZE) {
      int taken = Math.min(Long.SIZE, count - done);
      long word = VectorBits.get(bits, (long) from + done, taken);
      for (int i = 0; i < taken; i++) {
        page[at + done + i] = (word >>> i & 1) != 0;
      }
    }
  }

  private static void drainDecimals(FieldVector vector, int from, int count, long[] page, int at) {
    long[] words = new long[2 * Math.min(count, DECIMALS_AT_ONCE)];
    for (int done = 0; done < count; done += DECIMALS_AT_ONCE) {
      int taken = Math.min(DECIMALS_AT_ONCE, count - done);
      vector
          .getDataBuffer()
          .nioBuffer((long) (from + done) * DECIMAL_BYTES, taken * DECIMAL_BYTES)
          .order(ByteOrder.LITTLE_ENDIAN)
          .asLongBuffer()
          .get(words, 0, 2 * taken);
      for (int i = 0; i < taken; i++) {
        long value = words[2 * i];
        if (words[2 * i + 1] != value >> (Long.SIZE - 1) && !vector.isNull(from + done + i)) {
          throw new IllegalArgumentException(
              format(
                  "column '%s', row %,d: the decimal has more than %d digits",
                  vector.getName(), from + done + i, ArrowColumns.MAX_DIGITS));
        }
        page[at + done + i] = value;
      }
    }
  }

  /** Clears the values of nulls: they mean nothing, but they are shipped. */
  private static void clearNulls(ArrowBuf validity, int from, int count, Object page, int at) {
    for (int done = 0; done < count; done += Long.SIZE) {
      int taken = Math.min(Long.SIZE, count - done);
      long nulls = ~VectorBits.get(validity, (long) from + done, taken) & VectorBits.mask(taken);
      for (; nulls != 0; nulls &= nulls - 1) {
        clear(page, at + done + Long.numberOfTrailingZeros(nulls));
      }
    }
  }

  private static void clear(Object page, int at) {
    if (page instanceof long[] values) {
      values[at] = 0;
    } else if (page instanceof int[] values) {
      values[at] = 0;
    } else if (page instanceof double[] values) {
      values[at] = 0;
    } else if (page instanceof float[] values) {
      values[at] = 0;
    } else if (page instanceof short[] values) {
      values[at] = 0;
    } else if (page instanceof byte[] values) {
      values[at] = 0;
    } else {
      ((boolean[]) page)[at] = false;
    }
  }

  private static ByteBuffer bytes(ArrowBuf data, ColumnType type, int from, int count) {
    int width = type.widthBytes();
    return data.nioBuffer((long) from * width, count * width).order(ByteOrder.LITTLE_ENDIAN);
  }
}
