package io.drayage.duckdb;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RowBits;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Copies values of Arrow vectors into pages of a column. */
final class VectorReader {
  private static final int DECIMAL_BYTES = 16;

  private VectorReader() {}

  /** Copies {@code count} values from {@code from} on, to {@code page} from {@code at} on. */
  static void copy(FieldVector vector, int from, Object page, int at, int count) {
    if (page instanceof String[] target) {
      VarCharVector texts = (VarCharVector) vector;
      for (int i = 0; i < count; i++) {
        byte[] text = texts.get(from + i);
        target[at + i] = text == null ? null : new String(text, StandardCharsets.UTF_8);
      }
    } else if (page instanceof boolean[] target) {
      for (int i = 0; i < count; i++) {
        target[at + i] = BitVectorHelper.get(vector.getDataBuffer(), from + i) != 0;
      }
    } else if (page instanceof byte[] target) {
      bytes(vector, from, count, Byte.BYTES).get(target, at, count);
    } else if (page instanceof short[] target) {
      bytes(vector, from, count, Short.BYTES).asShortBuffer().get(target, at, count);
    } else if (page instanceof int[] target) {
      bytes(vector, from, count, Integer.BYTES).asIntBuffer().get(target, at, count);
    } else if (page instanceof float[] target) {
      bytes(vector, from, count, Float.BYTES).asFloatBuffer().get(target, at, count);
    } else if (page instanceof double[] target) {
      bytes(vector, from, count, Double.BYTES).asDoubleBuffer().get(target, at, count);
    } else {
      copyLongs(vector, from, (long[]) page, at, count);
    }
  }

  private static void copyLongs(FieldVector vector, int from, long[] target, int at, int count) {
    if (vector.getField().getType() instanceof ArrowType.Decimal) {
      // So few digits that the low half has all of it, with its sign.
      ArrowBuf data = vector.getDataBuffer();
      for (int i = 0; i < count; i++) {
        target[at + i] = data.getLong((long) (from + i) * DECIMAL_BYTES);
      }
    } else {
      bytes(vector, from, count, Long.BYTES).asLongBuffer().get(target, at, count);
    }
  }

  private static ByteBuffer bytes(FieldVector vector, int from, int count, int width) {
    return vector
        .getDataBuffer()
        .nioBuffer((long) from * width, count * width)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Clears the bits of nulls. */
  static void copyNulls(FieldVector vector, int from, RowBits validity, long row, int count) {
    if (vector.getNullCount() == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      if (vector.isNull(from + i)) {
        validity.clear(row + i);
      }
    }
  }

  /** Has the values of nulls be 0: what stands there means nothing, but is written. */
  static void zeroNulls(FieldVector vector, int from, Object page, int at, int count) {
    if (vector.getNullCount() == 0 || page instanceof String[]) {
      return;
    }
    Object zero = Array.newInstance(page.getClass().getComponentType(), 1);
    for (int i = 0; i < count; i++) {
      if (vector.isNull(from + i)) {
        System.arraycopy(zero, 0, page, at + i, 1);
      }
    }
  }

  /** A page for values. */
  static Object page(ColumnType type, int rows) {
    return Array.newInstance(type.pageClass().getComponentType(), rows);
  }
}
