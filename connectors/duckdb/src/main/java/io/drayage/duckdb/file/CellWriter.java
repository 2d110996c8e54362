package io.drayage.duckdb.file;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;

/**
 * Writes values of texts into a vector, exactly. If the type would change a value, the writer
 * throws an {@link ArithmeticException} or {@link IllegalArgumentException}. Only DOUBLE and FLOAT
 * get the nearest value. Not thread-safe.
 */
abstract class CellWriter {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,5})?");
  private static final Set<String> TRUE = Set.of("true", "t", "yes", "1");
  private static final Set<String> FALSE = Set.of("false", "f", "no", "0");
  private static final int FAST_DIGITS = 18;

  private final FieldVector vector;

  private CellWriter(FieldVector vector) {
    this.vector = vector;
  }

  final FieldVector vector() {
    return vector;
  }

  /** Writes a value that is not null. */
  abstract void set(int row, Cell cell);

  /** Returns the end of an error's message. */
  static String reason(RuntimeException e) {
    String message = e.getMessage();
    return message == null || !message.startsWith("it ") ? "" : ": " + message;
  }

  static CellWriter of(FieldVector vector, TextTable.Column column, boolean isJson) {
    if (vector instanceof VarCharVector texts) {
      return new Texts(texts, column.type(), isJson);
    } else if (vector instanceof Float8Vector || vector instanceof Float4Vector) {
      return new Reals(vector);
    } else if (vector instanceof DecimalVector decimals) {
      return new Decimals(decimals);
    } else if (vector instanceof BitVector bits) {
      return new Booleans(bits);
    } else if (vector instanceof DateDayVector
        || vector instanceof TimeMicroVector
        || vector instanceof TimeStampVector) {
      return new Moments(vector, column);
    }
    return new Integers(vector, column.type());
  }

  private static BigDecimal number(Cell cell) {
    String text = cell.text();
    if (!NUMBER.matcher(text).matches()) {
      throw new NumberFormatException();
    }
    return new BigDecimal(text);
  }

  private static final class Texts extends CellWriter {
    private final VarCharVector texts;
    private final String type;
    private final boolean isJson;

    Texts(VarCharVector texts, String type, boolean isJson) {
      super(texts);
      this.texts = texts;
      this.type = type;
      this.isJson = isJson;
    }

    @Override
    void set(int row, Cell cell) {
      if (type.equals("UUID") && !UUID.matcher(cell.text()).matches()) {
        throw new IllegalArgumentException();
      }
      if (!type.equals("JSON")) {
        texts.setSafe(row, cell.bytes, cell.from, cell.length());
      } else if (isJson && cell.kind == Cell.Kind.TEXT) {
        texts.setSafe(row, JsonTexts.quoted(cell.text()).getBytes(StandardCharsets.UTF_8));
      } else {
        JsonTexts.requireJson(cell);
        texts.setSafe(row, cell.bytes, cell.from, cell.length());
      }
    }
  }

  private static final class Integers extends CellWriter {
    private static final int MAX_DIGITS = 19;

    /** The largest values of unsigned types, which are in vectors of the next larger type. */
    private static final Map<String, Long> MOST =
        Map.of(
            "UTINYINT", (1L << 8) - 1,
            "USMALLINT", (1L << 16) - 1,
            "UINTEGER", (1L << 32) - 1,
            "UBIGINT", Long.MAX_VALUE,
            "UHUGEINT", Long.MAX_VALUE);

    private final boolean isUnsigned;
    private final long most;

    Integers(FieldVector vector, String type) {
      super(vector);
      this.isUnsigned = MOST.containsKey(type);
      this.most = MOST.getOrDefault(type, Long.MAX_VALUE);
    }

    @Override
    void set(int row, Cell cell) {
      long value = value(cell);
      if ((isUnsigned && value < 0) || value > most) {
        throw new ArithmeticException();
      }
      if (vector() instanceof BigIntVector longs) {
        longs.setSafe(row, value);
      } else if (vector() instanceof IntVector ints) {
        ints.setSafe(row, Math.toIntExact(value));
      } else if (vector() instanceof SmallIntVector shorts && value == (short) value) {
        shorts.setSafe(row, (short) value);
      } else if (vector() instanceof TinyIntVector bytes && value == (byte) value) {
        bytes.setSafe(row, (byte) value);
      } else {
        throw new ArithmeticException();
      }
    }

    private static long value(Cell cell) {
      int at = cell.from;
      boolean isNegative = at < cell.to && cell.bytes[at] == '-';
      at += isNegative ? 1 : 0;
      if (at == cell.to || cell.to - at > FAST_DIGITS) {
        return slow(cell);
      }
      long value = 0;
      for (; at < cell.to; at++) {
        int digit = cell.bytes[at] - '0';
        if (digit < 0 || digit > 9) {
          return slow(cell);
        }
        value = 10 * value + digit;
      }
      return isNegative ? -value : value;
    }

    private static long slow(Cell cell) {
      BigDecimal number = number(cell);
      if (number.precision() - number.scale() > MAX_DIGITS
          || number.toBigInteger().bitLength() >= Long.SIZE) {
        throw new ArithmeticException("it is beyond BIGINT, the most that a cargo holds");
      }
      return number.longValueExact();
    }
  }

  private static final class Reals extends CellWriter {
    /** Powers of ten that are exact: the quotient of two exact DOUBLEs is the nearest one. */
    private static final double[] POWERS = {
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    Reals(FieldVector vector) {
      super(vector);
    }

    @Override
    void set(int row, Cell cell) {
      if (vector() instanceof Float8Vector doubles) {
        double value = fast(cell);
        doubles.setSafe(row, Double.isNaN(value) ? slow(cell) : value);
      } else if (vector() instanceof Float4Vector floats) {
        float value = isNumber(cell) ? Float.parseFloat(cell.text()) : (float) word(cell.text());
        requireKept(Float.isInfinite(value), value == 0, cell);
        floats.setSafe(row, value);
      }
    }

    /** Converts a number of up to 15 digits; NaN if it is not such a number. */
    private static double fast(Cell cell) {
      byte[] bytes = cell.bytes;
      int at = cell.from;
      boolean isNegative = at < cell.to && bytes[at] == '-';
      at += isNegative ? 1 : 0;
      int digits = cell.to - at;
      int point = 0;
      long value = 0;
      for (int i = at; i < cell.to; i++) {
        if (bytes[i] >= '0' && bytes[i] <= '9') {
          value = 10 * value + bytes[i] - '0';
        } else if (bytes[i] == '.' && point == 0) {
          point = i + 1;
          digits--;
        } else {
          return Double.NaN;
        }
        if (i - at > POWERS.length) {
          return Double.NaN;
        }
      }
      if (digits == 0 || digits >= POWERS.length) {
        return Double.NaN;
      }
      double read = value / POWERS[point == 0 ? 0 : cell.to - point];
      return isNegative ? -read : read;
    }

    private static double slow(Cell cell) {
      double value = isNumber(cell) ? Double.parseDouble(cell.text()) : word(cell.text());
      requireKept(Double.isInfinite(value), value == 0, cell);
      return value;
    }

    private static boolean isNumber(Cell cell) {
      return NUMBER.matcher(cell.text()).matches();
    }

    private static double word(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "nan" -> Double.NaN;
        case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
        case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
        default -> throw new NumberFormatException();
      };
    }

    private static void requireKept(boolean isInfinite, boolean isZero, Cell cell) {
      if ((isInfinite && isNumber(cell)) || (isZero && new BigDecimal(cell.text()).signum() != 0)) {
        throw new ArithmeticException("it is beyond its range");
      }
    }
  }

  private static final class Decimals extends CellWriter {
    private static final int MAX_DIGITS = 18;

    private final DecimalVector decimals;

    Decimals(DecimalVector decimals) {
      super(decimals);
      this.decimals = decimals;
    }

    @Override
    void set(int row, Cell cell) {
      BigDecimal number = number(cell);
      int digits = number.precision() - number.scale() + decimals.getScale();
      if (digits > decimals.getPrecision() && number.signum() != 0) {
        throw new ArithmeticException(
            digits > MAX_DIGITS
                ? "it has more than " + MAX_DIGITS + " digits, the most that a cargo holds"
                : null);
      }
      decimals.setSafe(row, number.setScale(decimals.getScale(), RoundingMode.UNNECESSARY));
    }
  }

  private static final class Booleans extends CellWriter {
    private final BitVector bits;

    Booleans(BitVector bits) {
      super(bits);
      this.bits = bits;
    }

    @Override
    void set(int row, Cell cell) {
      String text = cell.text().toLowerCase(Locale.ROOT);
      if (!TRUE.contains(text) && !FALSE.contains(text)) {
        throw new IllegalArgumentException();
      }
      bits.setSafe(row, TRUE.contains(text) ? 1 : 0);
    }
  }

  private static final class Moments extends CellWriter {
    private static final int MICROS_DIGITS = 6;
    private static final long NANOS_OF_MICRO = 1_000;

    private final TextTable.Column column;
    private final Moment moment = new Moment();

    Moments(FieldVector vector, TextTable.Column column) {
      super(vector);
      this.column = column;
    }

    @Override
    void set(int row, Cell cell) {
      if (!column.format().read(cell, moment)) {
        throw new IllegalArgumentException(
            "it is not written as ISO 8601, such as 2026-01-31; --dates sets another format");
      }
      if (vector() instanceof DateDayVector days) {
        require(moment.shape == Moment.Shape.DATE, "it has a time");
        days.setSafe(row, (int) moment.epochDay);
      } else if (vector() instanceof TimeMicroVector times) {
        require(moment.shape == Moment.Shape.TIME, "it has a date");
        require(moment.fractionDigits <= MICROS_DIGITS, "it has more than microseconds");
        times.setSafe(row, moment.nanoOfDay / NANOS_OF_MICRO);
      } else {
        boolean isZoned = column.type().equals("TIMESTAMP WITH TIME ZONE");
        require(moment.shape != Moment.Shape.TIME, "it has no date");
        require(
            isZoned == (moment.shape == Moment.Shape.WITH_OFFSET),
            isZoned ? "it has no offset such as +01:00" : "it has an offset");
        ((TimeStampVector) vector()).setSafe(row, moment.since1970(digits(column.type())));
      }
    }

    private static int digits(String type) {
      return switch (type) {
        case "TIMESTAMP_S" -> 0;
        case "TIMESTAMP_MS" -> 3;
        case "TIMESTAMP_NS" -> 9;
        default -> MICROS_DIGITS;
      };
    }

    private static void require(boolean condition, String otherwise) {
      if (!condition) {
        throw new IllegalArgumentException(otherwise);
      }
    }
  }
}
