package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.TextRun;
import io.drayage.cargo.TypesTable;
import io.drayage.store.column.PageSlice;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a column for Spark, read from the array of their page without a copy. Each type of page
 * has a class, so that a loop of Spark calls only one method.
 */
abstract class PageVector extends ColumnVector {
  /** The index of row 0 in the page. */
  final int offset;

  private final long @Nullable [] validity;
  private final int nullCount;

  private PageVector(DataType type, PageSlice slice) {
    super(type);
    this.offset = slice.offset();
    this.validity = slice.validity();
    this.nullCount = slice.nullCount();
  }

  /**
   * Returns rows of a slice.
   *
   * @param page its page, or another of default values
   */
  static ColumnVector of(DataType type, PageSlice slice, Object page) {
    if (page instanceof long[] values) {
      return new OfLongs(type, slice, values);
    } else if (page instanceof int[] values) {
      return new OfInts(type, slice, values);
    } else if (page instanceof double[] values) {
      return new OfDoubles(type, slice, values);
    } else if (page instanceof float[] values) {
      return new OfFloats(type, slice, values);
    } else if (page instanceof short[] values) {
      return new OfShorts(type, slice, values);
    } else if (page instanceof byte[] values) {
      return new OfBytes(type, slice, values);
    } else if (page instanceof boolean[] values) {
      return new OfBooleans(type, slice, values);
    }
    throw new IllegalArgumentException("no page of values: " + page);
  }

  /**
   * Returns rows of texts.
   *
   * @param run begins with the first row of the slice
   */
  static ColumnVector of(DataType type, PageSlice slice, TextRun run) {
    return new OfTexts(type, slice, run);
  }

  @Override
  public final boolean hasNull() {
    return nullCount > 0;
  }

  /** Returns the nulls of the whole slice, of which a batch may have fewer. */
  @Override
  public final int numNulls() {
    return nullCount;
  }

  @Override
  public final boolean isNullAt(int row) {
    return validity != null && (validity[row >>> 6] >>> row & 1) == 0;
  }

  /** Does nothing: the pages belong to the snapshot. */
  @Override
  public final void close() {}

  private UnsupportedOperationException not(String what) {
    return new UnsupportedOperationException(
        "a column of %s has no %s".formatted(dataType().sql(), what));
  }

  @Override
  public boolean getBoolean(int row) {
    throw not("booleans");
  }

  @Override
  public byte getByte(int row) {
    throw not("bytes");
  }

  @Override
  public short getShort(int row) {
    throw not("shorts");
  }

  @Override
  public int getInt(int row) {
    throw not("ints");
  }

  @Override
  public long getLong(int row) {
    throw not("longs");
  }

  @Override
  public float getFloat(int row) {
    throw not("floats");
  }

  @Override
  public double getDouble(int row) {
    throw not("doubles");
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    throw not("decimals");
  }

  @Override
  public @Nullable UTF8String getUTF8String(int row) {
    throw not("texts");
  }

  @Override
  public final byte[] getBinary(int row) {
    throw not("binary values");
  }

  @Override
  public final ColumnarArray getArray(int row) {
    throw not("arrays");
  }

  @Override
  public final ColumnarMap getMap(int row) {
    throw not("maps");
  }

  @Override
  public final ColumnVector getChild(int ordinal) {
    throw not("children");
  }

  private static final class OfLongs extends PageVector {
    private final long[] values;

    /** The exclusive bound of a decimal's digits as an integer. */
    private final long limit;

    OfLongs(DataType type, PageSlice slice, long[] values) {
      super(type, slice);
      this.values = values;
      this.limit = type instanceof DecimalType decimal ? Decimal.POW_10()[decimal.precision()] : 0;
    }

    @Override
    public long getLong(int row) {
      return values[offset + row];
    }

    @Override
    public @Nullable Decimal getDecimal(int row, int precision, int scale) {
      if (isNullAt(row)) {
        return null;
      }
      long value = values[offset + row];
      if (value >= limit || value <= -limit) {
        throw tooLong(value);
      }
      return Decimal.createUnsafe(value, precision, scale);
    }

    /** Returns the error for a decimal that is too long, which Drayage's own API accepts. */
    private IllegalStateException tooLong(long value) {
      return new IllegalStateException(
          format(
              "%s has the value %d without its point, which has more digits: correct it, or the type of the column in table '%s'",
              dataType().sql(), value, TypesTable.NAME));
    }
  }

  private static final class OfInts extends PageVector {
    private final int[] values;

    OfInts(DataType type, PageSlice slice, int[] values) {
      super(type, slice);
      this.values = values;
    }

    @Override
    public int getInt(int row) {
      return values[offset + row];
    }
  }

  private static final class OfDoubles extends PageVector {
    private final double[] values;

    OfDoubles(DataType type, PageSlice slice, double[] values) {
      super(type, slice);
      this.values = values;
    }

    @Override
    public double getDouble(int row) {
      return values[offset + row];
    }
  }

  private static final class OfFloats extends PageVector {
    private final float[] values;

    OfFloats(DataType type, PageSlice slice, float[] values) {
      super(type, slice);
      this.values = values;
    }

    @Override
    public float getFloat(int row) {
      return values[offset + row];
    }
  }

  private static final class OfShorts extends PageVector {
    private final short[] values;

    OfShorts(DataType type, PageSlice slice, short[] values) {
      super(type, slice);
      this.values = values;
    }

    @Override
    public short getShort(int row) {
      return values[offset + row];
    }
  }

  private static final class OfBytes extends PageVector {
    private final byte[] values;

    OfBytes(DataType type, PageSlice slice, byte[] values) {
      super(type, slice);
      this.values = values;
    }

    @Override
    public byte getByte(int row) {
      return values[offset + row];
    }
  }

  private static final class OfBooleans extends PageVector {
    private final boolean[] values;

    OfBooleans(DataType type, PageSlice slice, boolean[] values) {
      super(type, slice);
      this.values = values;
    }

    @Override
    public boolean getBoolean(int row) {
      return values[offset + row];
    }
  }

  private static final class OfTexts extends PageVector {
    private final TextRun texts;
    private final byte[] bytes;

    OfTexts(DataType type, PageSlice slice, TextRun texts) {
      super(type, slice);
      this.texts = texts;
      this.bytes = texts.bytes();
    }

    @Override
    public @Nullable UTF8String getUTF8String(int row) {
      return isNullAt(row)
          ? null
          : UTF8String.fromBytes(bytes, texts.start(row), texts.length(row));
    }
  }
}
