package io.drayage.duckdb;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RowBits;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Copies values of Arrow vectors into pages of a column. Not thread-safe. */
final class VectorReader {
  private static final int DECIMAL_BYTES = 16;

  private final Texts texts = new Texts();

  /** Whether most texts so far were of few different ones, so that pages of them are small. */
  boolean sharesTexts() {
    return texts.hits > texts.lookups * 9 / 10;
  }

  /** Copies {@code count} values from {@code from} on, to {@code page} from {@code at} on. */
  void copy(FieldVector vector, int from, Object page, int at, int count) {
    if (page instanceof String[] target) {
      texts.copy((VarCharVector) vector, from, target, at, count);
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

  /** Makes texts, of which short ones that come again and again are made once. */
  private static final class Texts {
    private static final int SLOTS = 1 << 10;
    private static final int MAX_BYTES = 32;
    private static final int TRIAL = 1 << 14;

    private final byte[][] known = new byte[SLOTS][];
    private final String[] made = new String[SLOTS];
    private int lookups;
    private int hits;
    private byte[] data = {};

    void copy(VarCharVector vector, int from, String[] target, int at, int count) {
      if (count == 0) {
        return;
      }
      int first = vector.getStartOffset(from);
      int end = vector.getEndOffset(from + count - 1);
      if (data.length < end - first) {
        data = new byte[2 * (end - first)];
      }
      vector.getDataBuffer().getBytes(first, data, 0, end - first);
      boolean nulls = vector.getNullCount() > 0;
      for (int i = 0; i < count; i++) {
        if (nulls && vector.isNull(from + i)) {
          target[at + i] = null;
        } else {
          int start = vector.getStartOffset(from + i) - first;
          target[at + i] = text(start, vector.getEndOffset(from + i) - first);
        }
      }
    }

    private String text(int start, int end) {
      if (end - start > MAX_BYTES || (lookups > TRIAL && hits < lookups / 2)) {
        return new String(data, start, end - start, StandardCharsets.UTF_8);
      }
      int hash = end - start;
      for (int i = start; i < end; i++) {
        hash = 31 * hash + data[i];
      }
      int slot = (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SLOTS - 1);
      lookups++;
      byte[] bytes = known[slot];
      if (bytes != null && Arrays.equals(bytes, 0, bytes.length, data, start, end)) {
        hits++;
        return made[slot];
      }
      known[slot] = Arrays.copyOfRange(data, start, end);
      made[slot] = new String(data, start, end - start, StandardCharsets.UTF_8);
      return made[slot];
    }
  }
}
