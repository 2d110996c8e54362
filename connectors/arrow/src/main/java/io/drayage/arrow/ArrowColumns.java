package io.drayage.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.internal.Begun;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Converts vectors to columns of a cargo, and columns to vectors. Stateless: any thread may call
 * it, but no other thread may write to the source.
 *
 * <p>The types of a column are Arrow's types of the same width: bool, signed integers of 8 to 64
 * bits, floats of 32 and 64 bits with every bit of a NaN, UTF-8. Dates, times, timestamps,
 * durations, and decimals of up to {@value #MAX_DIGITS} digits are read and written as integers; a
 * cargo does not keep their meaning. Texts of large UTF-8 are read. All other types are refused
 * with the column's name: unsigned integers, nested types, dictionaries (decode them first).
 */
public final class ArrowColumns {
  /** The largest number of a decimal's digits: a long holds all such decimals. */
  public static final int MAX_DIGITS = 18;

  private static final int DECIMAL_BITS = 128;

  private ArrowColumns() {}

  /**
   * Returns the type of the column for the values of a field.
   *
   * @throws IllegalArgumentException if a cargo cannot hold them, with field and type
   */
  public static ColumnType type(Field field) {
    ArrowType type = field.getType();
    if (field.getDictionary() == null) {
      if (type instanceof ArrowType.Int integer && integer.getIsSigned()) {
        return ofWidth(integer.getBitWidth());
      } else if (type instanceof ArrowType.FloatingPoint real
          && real.getPrecision() != FloatingPointPrecision.HALF) {
        return real.getPrecision() == FloatingPointPrecision.SINGLE
            ? ColumnType.FLOAT
            : ColumnType.DOUBLE;
      } else if (type instanceof ArrowType.Bool) {
        return ColumnType.BOOLEAN;
      } else if (type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8) {
        return ColumnType.STRING;
      } else if (type instanceof ArrowType.Date date) {
        return date.getUnit() == DateUnit.DAY ? ColumnType.INT : ColumnType.LONG;
      } else if (type instanceof ArrowType.Time time) {
        return ofWidth(time.getBitWidth());
      } else if (type instanceof ArrowType.Timestamp
          || type instanceof ArrowType.Duration
          || isSmallDecimal(type)) {
        return ColumnType.LONG;
      }
    }
    throw new IllegalArgumentException(
        "column '%s': a cargo cannot hold %s%s"
            .formatted(
                field.getName(), field.getDictionary() == null ? "" : "a dictionary of ", type));
  }

  private static boolean isSmallDecimal(ArrowType type) {
    return type instanceof ArrowType.Decimal decimal
        && decimal.getPrecision() <= MAX_DIGITS
        && decimal.getBitWidth() == DECIMAL_BITS;
  }

  private static ColumnType ofWidth(int bits) {
    return switch (bits) {
      case 8 -> ColumnType.BYTE;
      case 16 -> ColumnType.SHORT;
      case 32 -> ColumnType.INT;
      default -> ColumnType.LONG;
    };
  }

  /** Returns the field of a column, with the type of the column. */
  public static Field field(String name, ColumnValues values) {
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
    return new Field(name, new FieldType(values.validity() != null, type, null), null);
  }

  /**
   * Copies the current values of a vector to a column. The vector stays the caller's. To make one
   * column of many batches, see {@link ArrowRows}.
   *
   * @throws IllegalArgumentException if a cargo cannot hold the values, or a text is not UTF-8,
   *     with column and row
   */
  public static ColumnValues copyOf(FieldVector vector) {
    CopiedColumn column = new CopiedColumn(vector.getField());
    column.append(vector);
    return column.values();
  }

  /**
   * Returns a column that shares the memory of a vector. A page is copied at each request, and not
   * kept. Only the validity bits are copied now.
   *
   * <p>The vector is lent: it must not be changed or closed before the cargo is committed, because
   * a page may be requested more than once. Any thread may read the column. A request for a page
   * throws an {@link io.drayage.cargo.IllegalTextException} if a text is not UTF-8.
   *
   * @throws IllegalArgumentException if a cargo cannot hold its values, with the column's name
   */
  public static ColumnValues viewOf(FieldVector vector) {
    ColumnType type = type(vector.getField());
    int rows = vector.getValueCount();
    RowBits validity = null;
    if (vector.getNullCount() > 0) {
      validity = RowBits.allSet(rows);
      VectorBits.copy(vector.getValidityBuffer(), 0, rows, validity, 0);
    }
    return ColumnValues.onDemand(
        type, rows, ColumnValues.DEFAULT_ROWS_PER_PAGE, new ViewedVector(vector, type), validity);
  }

  /**
   * Copies the rows whose bit is set, for {@link
   * io.drayage.cargo.ChangeCargo.TableChangesBuilder#delete}; a null is a clear bit.
   */
  public static RowBits rowsOf(BitVector vector) {
    RowBits rows = new RowBits(vector.getValueCount());
    boolean hasNulls = vector.getNullCount() > 0;
    for (long word = 0; word < rows.wordCount(); word++) {
      int count = (int) Math.min(Long.SIZE, rows.size() - word * Long.SIZE);
      long bits = VectorBits.get(vector.getDataBuffer(), word * Long.SIZE, count);
      rows.setWord(
          word,
          hasNulls
              ? bits & VectorBits.get(vector.getValidityBuffer(), word * Long.SIZE, count)
              : bits);
    }
    return rows;
  }

  /**
   * Returns a vector of all values of a column. The caller closes it.
   *
   * @throws IllegalArgumentException if the column has more rows or texts than a vector can hold,
   *     with its name
   */
  public static FieldVector vectorOf(String name, ColumnValues values, BufferAllocator memory) {
    requireFits(name, values.rowCount());
    FieldVector vector = field(name, values).createVector(memory);
    try (Begun begun = new Begun(vector)) {
      fill(vector, values, 0, (int) values.rowCount());
      return begun.keep(vector);
    }
  }

  /**
   * Returns a vector of all bits of a set, such as deleted rows. The caller closes it.
   *
   * @throws IllegalArgumentException if the set has more bits than a vector can hold, with its name
   */
  public static BitVector vectorOf(String name, RowBits rows, BufferAllocator memory) {
    requireFits(name, rows.size());
    BitVector vector = new BitVector(name, FieldType.notNullable(ArrowType.Bool.INSTANCE), memory);
    int count = (int) rows.size();
    try (Begun begun = new Begun(vector)) {
      vector.allocateNew(count);
      VectorBits.fill(vector.getValidityBuffer(), null, 0, count);
      VectorBits.fill(vector.getDataBuffer(), rows, 0, count);
      vector.setValueCount(count);
      return begun.keep(vector);
    }
  }

  private static void requireFits(String name, long rows) {
    if (rows > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          format(
              "column '%s': %,d rows are more than the %,d of a vector: take batches of them",
              name, rows, Integer.MAX_VALUE));
    }
  }

  /**
   * Copies rows {@code firstRow} to {@code firstRow + rows - 1} of a column into a vector. They
   * become all of its values, in new buffers of its own.
   *
   * @throws IllegalArgumentException if the vector is of another type, or if the texts are more
   *     than the 2 GiB of a vector, with the column's name
   */
  public static void fill(FieldVector vector, ColumnValues from, long firstRow, int rows) {
    requireType(vector.getField(), from.type());
    if (from.type() == ColumnType.STRING) {
      TextVectors.fill(vector, from, firstRow, rows);
    } else {
      FixedVectors.fill(vector, from, firstRow, rows);
    }
  }

  /**
   * Copies {@code rows} values of a vector from {@code first} on into rows {@code firstRow} to
   * {@code firstRow + rows - 1} of a column that was {@linkplain ColumnValues#allocate allocated}.
   * Threads may fill one column at the same time, if they begin at multiples of 64 rows.
   *
   * @throws IllegalArgumentException if the column is of another type, if it is not nullable and a
   *     value is null, or if a text is not UTF-8, with column and row
   */
  public static void drain(
      FieldVector vector, int first, int rows, ColumnValues to, long firstRow) {
    requireType(vector.getField(), to.type());
    if (to.type() == ColumnType.STRING) {
      TextVectors.drain(vector, first, rows, to, firstRow);
    } else {
      FixedVectors.drain(vector, first, rows, to, firstRow);
    }
    RowBits validity = to.validity();
    if (validity != null) {
      drainNulls(vector, first, rows, validity, firstRow);
    } else if (vector.getNullCount() > 0) {
      throw new IllegalArgumentException(
          "column '%s' has nulls, and cannot hold them".formatted(vector.getName()));
    }
  }

  /**
   * Sets the bit of each value that is not null, and clears those of nulls, from {@code firstRow}
   * on. It reads {@code rows} values of a vector, from {@code first} on.
   */
  public static void drainNulls(
      FieldVector vector, int first, int rows, RowBits validity, long firstRow) {
    if (rows > 0) {
      VectorBits.copy(vector.getValidityBuffer(), first, rows, validity, firstRow);
    }
  }

  static void requireType(Field field, ColumnType type) {
    if (type(field) != type) {
      throw new IllegalArgumentException(
          "column '%s': values of %s are no %s".formatted(field.getName(), type, field.getType()));
    }
  }
}
