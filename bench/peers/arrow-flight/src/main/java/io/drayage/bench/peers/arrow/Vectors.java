package io.drayage.bench.peers.arrow;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Copies rows of columns into vectors, and out of them: whole runs of a page at a time. */
final class Vectors {
  /** Validity is copied in words of so many rows, so a batch begins at a multiple of it. */
  static final int ROWS_PER_WORD = Long.SIZE;

  private Vectors() {}

  static Field field(String name, ColumnValues values) {
    ArrowType type =
        switch (values.type()) {
          case BOOLEAN -> ArrowType.Bool.INSTANCE;
          case BYTE -> new ArrowType.Int(8, true);
          case SHORT -> new ArrowType.Int(16, true);
          case INT -> new ArrowType.Int(32, true);
          case LONG -> new ArrowType.Int(64, true);
          case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
          case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
          case STRING -> ArrowType.Utf8.INSTANCE;
        };
    boolean nullable = values.validity() != null || values.type() == ColumnType.STRING;
    return new Field(name, new FieldType(nullable, type, null), null);
  }

  /**
   * The type of a column that {@link #field} described.
   *
   * @throws IllegalArgumentException if it is none of those
   */
  static ColumnType type(Field field) {
    ArrowType type = field.getType();
    if (type instanceof ArrowType.Int integer) {
      return switch (integer.getBitWidth()) {
        case 8 -> ColumnType.BYTE;
        case 16 -> ColumnType.SHORT;
        case 32 -> ColumnType.INT;
        default -> ColumnType.LONG;
      };
    }
    if (type instanceof ArrowType.FloatingPoint real) {
      return real.getPrecision() == FloatingPointPrecision.SINGLE
          ? ColumnType.FLOAT
          : ColumnType.DOUBLE;
    }
    if (type instanceof ArrowType.Bool) {
      return ColumnType.BOOLEAN;
    }
    if (type instanceof ArrowType.Utf8) {
      return ColumnType.STRING;
    }
    throw new IllegalArgumentException("no column has the type of " + field);
  }

  /** Copies rows {@code firstRow} to {@code firstRow + rows - 1} into a vector that is empty. */
  static void fill(FieldVector vector, ColumnValues from, long firstRow, int rows) {
    if (vector instanceof VarCharVector texts) {
      fillTexts(texts, from, firstRow, rows);
      return;
    }
    vector.setInitialCapacity(rows);
    vector.allocateNew();
    fillValidity(vector.getValidityBuffer(), from.validity(), firstRow, rows);
    eachRun(
        from,
        firstRow,
        rows,
        (page, offset, at, count) -> {
          if (page instanceof boolean[] flags) {
            fillFlags((BitVector) vector, flags, offset, at, count);
          } else {
            put(bytes(vector.getDataBuffer(), from.type(), at, count), page, offset, count);
          }
        });
    vector.setValueCount(rows);
  }

  private static void fillTexts(VarCharVector vector, ColumnValues from, long firstRow, int rows) {
    vector.setInitialCapacity(rows);
    vector.allocateNew();
    eachRun(
        from,
        firstRow,
        rows,
        (page, offset, at, count) -> {
          String[] texts = (String[]) page;
          for (int i = 0; i < count; i++) {
            String text = texts[offset + i];
            if (text != null) {
              vector.setSafe(at + i, utf8(text));
            }
          }
        });
    vector.setValueCount(rows);
  }

  private static byte[] utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // Only a character that cannot be encoded takes a single byte instead of two or three.
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        requireWellFormed(text, bytes);
        break;
      }
    }
    return bytes;
  }

  private static void requireWellFormed(String text, byte[] bytes) {
    if (!new String(bytes, StandardCharsets.UTF_8).equals(text)) {
      throw new IllegalArgumentException(
          "a text with an unpaired surrogate is no UTF-8: Arrow cannot carry it");
    }
  }

  private static void fillFlags(BitVector vector, boolean[] flags, int offset, int at, int count) {
    for (int i = 0; i < count; i++) {
      if (flags[offset + i]) {
        vector.setToOne(at + i);
      }
    }
  }

  private static void fillValidity(ArrowBuf bits, RowBits validity, long firstRow, int rows) {
    int words = (rows + ROWS_PER_WORD - 1) / ROWS_PER_WORD;
    for (int word = 0; word < words; word++) {
      setWord(bits, word, validity == null ? -1L : validity.word(firstRow / ROWS_PER_WORD + word));
    }
  }

  /** The buffer may end within a last word. */
  private static void setWord(ArrowBuf bits, int word, long value) {
    long from = (long) word * Long.BYTES;
    if (from + Long.BYTES <= bits.capacity()) {
      bits.setLong(from, value);
      return;
    }
    for (long at = from; at < bits.capacity(); at++) {
      bits.setByte(at, (byte) (value >>> ((at - from) * Byte.SIZE)));
    }
  }

  /** Copies all rows of a vector into those from {@code firstRow} on. */
  static void drain(FieldVector vector, ColumnValues to, long firstRow) {
    int rows = vector.getValueCount();
    eachRunForWrite(
        to,
        firstRow,
        rows,
        (page, offset, at, count) -> {
          if (page instanceof String[] texts) {
            drainTexts((VarCharVector) vector, texts, offset, at, count);
          } else if (page instanceof boolean[] flags) {
            drainFlags((BitVector) vector, flags, offset, at, count);
          } else {
            get(bytes(vector.getDataBuffer(), to.type(), at, count), page, offset, count);
          }
        });
    RowBits validity = to.validity();
    if (validity != null && vector.getNullCount() > 0) {
      drainValidity(vector.getValidityBuffer(), validity, firstRow, rows);
    }
  }

  private static void drainTexts(
      VarCharVector vector, String[] texts, int offset, int at, int count) {
    for (int i = 0; i < count; i++) {
      if (!vector.isNull(at + i)) {
        texts[offset + i] = new String(vector.get(at + i), StandardCharsets.UTF_8);
      }
    }
  }

  private static void drainFlags(BitVector vector, boolean[] flags, int offset, int at, int count) {
    ArrowBuf bits = vector.getDataBuffer();
    for (int i = 0; i < count; i++) {
      int bit = at + i;
      flags[offset + i] = ((bits.getByte(bit >>> 3) >>> (bit & 7)) & 1) != 0;
    }
  }

  private static void drainValidity(ArrowBuf bits, RowBits validity, long firstRow, int rows) {
    int words = (rows + ROWS_PER_WORD - 1) / ROWS_PER_WORD;
    for (int word = 0; word < words; word++) {
      validity.setWord(firstRow / ROWS_PER_WORD + word, word(bits, word));
    }
  }

  /** The buffer may end within a last word. */
  private static long word(ArrowBuf bits, int word) {
    long from = (long) word * Long.BYTES;
    if (from + Long.BYTES <= bits.capacity()) {
      return bits.getLong(from);
    }
    long value = 0;
    for (long at = from; at < bits.capacity(); at++) {
      value |= (bits.getByte(at) & 0xFFL) << ((at - from) * Byte.SIZE);
    }
    return value;
  }

  private static ByteBuffer bytes(ArrowBuf data, ColumnType type, int at, int count) {
    int width = type.widthBytes();
    return data.nioBuffer((long) at * width, count * width).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void put(ByteBuffer to, Object page, int offset, int count) {
    if (page instanceof long[] values) {
      to.asLongBuffer().put(values, offset, count);
    } else if (page instanceof int[] values) {
      to.asIntBuffer().put(values, offset, count);
    } else if (page instanceof double[] values) {
      to.asDoubleBuffer().put(values, offset, count);
    } else if (page instanceof float[] values) {
      to.asFloatBuffer().put(values, offset, count);
    } else if (page instanceof short[] values) {
      to.asShortBuffer().put(values, offset, count);
    } else {
      to.put((byte[]) page, offset, count);
    }
  }

  private static void get(ByteBuffer from, Object page, int offset, int count) {
    if (page instanceof long[] values) {
      from.asLongBuffer().get(values, offset, count);
    } else if (page instanceof int[] values) {
      from.asIntBuffer().get(values, offset, count);
    } else if (page instanceof double[] values) {
      from.asDoubleBuffer().get(values, offset, count);
    } else if (page instanceof float[] values) {
      from.asFloatBuffer().get(values, offset, count);
    } else if (page instanceof short[] values) {
      from.asShortBuffer().get(values, offset, count);
    } else {
      from.get((byte[]) page, offset, count);
    }
  }

  /**
   * Rows of one page: {@code count} from {@code offset} on, which are the batch's from {@code at}
   * on.
   */
  private interface Stretch {
    void copy(Object page, int offset, int at, int count);
  }

  private static void eachRun(ColumnValues values, long firstRow, int rows, Stretch run) {
    for (int done = 0; done < rows; ) {
      int page = values.pageOf(firstRow + done);
      int offset = values.offsetOf(firstRow + done);
      int count = Math.min(rows - done, values.rowsInPage(page) - offset);
      run.copy(values.page(page), offset, done, count);
      done += count;
    }
  }

  private static void eachRunForWrite(ColumnValues values, long firstRow, int rows, Stretch run) {
    for (int done = 0; done < rows; ) {
      int page = values.pageOf(firstRow + done);
      int offset = values.offsetOf(firstRow + done);
      int count = Math.min(rows - done, values.rowsInPage(page) - offset);
      run.copy(values.pageForWrite(page), offset, done, count);
      done += count;
    }
  }
}
