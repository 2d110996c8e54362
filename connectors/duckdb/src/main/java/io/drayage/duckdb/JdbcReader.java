package io.drayage.duckdb;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.duckdb.file.SqlNames;
import io.drayage.duckdb.sql.ValueType;
import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
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
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** The rows of a JDBC result, as Arrow batches. Not thread-safe. */
final class JdbcReader extends BatchReader {
  private static final int MICROS_DIGITS = 6;
  private static final long MICROS = 1_000_000;
  private static final long NANOS = 1_000_000_000;
  private static final int NANOS_OF_MICRO = 1_000;

  private final String table;
  private final ResultSet result;
  private final boolean isSqlite;

  /** Refuses characters that it cannot encode. */
  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();

  private long row;

  private JdbcReader(
      String table,
      ResultSet result,
      boolean isSqlite,
      List<String> names,
      List<ValueType> types,
      BufferAllocator memory) {
    super(names, types, memory);
    this.table = table;
    this.result = result;
    this.isSqlite = isSqlite;
  }

  /**
   * Reads a result.
   *
   * @param table its name in the cargo
   * @param result stays the caller's
   * @throws TableException if a cargo cannot hold a column's type
   */
  static JdbcReader of(String table, ResultSet result, TypeCasts casts, BufferAllocator memory)
      throws SQLException, TableException {
    List<String> names = new ArrayList<>();
    List<ValueType> types = new ArrayList<>();
    ResultSetMetaData columns = result.getMetaData();
    boolean isSqlite =
        result
            .getStatement()
            .getConnection()
            .getMetaData()
            .getDatabaseProductName()
            .equals("SQLite");
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(columns.getColumnLabel(i));
      String name = isSqlite ? SqliteValues.typeName(columns, i) : typeName(columns, i);
      boolean isDeclared = !casts.of(table, columns.getColumnLabel(i)).isEmpty();
      types.add(type(table, columns, i, name, isDeclared));
    }
    SqlNames.requireDistinct("table '%s': the columns".formatted(table), names);
    return new JdbcReader(table, result, isSqlite, names, types, memory);
  }

  /** Returns DuckDB's name of a column's type; empty if it has none. */
  private static String typeName(ResultSetMetaData columns, int column) throws SQLException {
    String own = columns.getColumnTypeName(column).toUpperCase(Locale.ROOT);
    return switch (columns.getColumnType(column)) {
      case Types.BOOLEAN, Types.BIT -> "BOOLEAN";
      case Types.TINYINT -> columns.isSigned(column) ? "TINYINT" : "UTINYINT";
      case Types.SMALLINT -> columns.isSigned(column) ? "SMALLINT" : "USMALLINT";
      case Types.INTEGER -> columns.isSigned(column) ? "INTEGER" : "UINTEGER";
      case Types.BIGINT -> columns.isSigned(column) ? "BIGINT" : "UBIGINT";
      case Types.REAL -> "FLOAT";
      case Types.FLOAT, Types.DOUBLE -> "DOUBLE";
      case Types.DECIMAL, Types.NUMERIC ->
          ValueType.decimalName(columns.getPrecision(column), columns.getScale(column));
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR ->
          "VARCHAR";
      case Types.DATE -> "DATE";
      // PostgreSQL shows a time zone only in the name of the type.
      case Types.TIME -> own.equals("TIMETZ") ? "" : "TIME";
      case Types.TIMESTAMP ->
          own.equals("TIMESTAMPTZ")
              ? "TIMESTAMP WITH TIME ZONE"
              : own.equals("TIMESTAMP_NS") || columns.getScale(column) > MICROS_DIGITS
                  ? "TIMESTAMP_NS"
                  : "TIMESTAMP";
      case Types.TIMESTAMP_WITH_TIMEZONE -> "TIMESTAMP WITH TIME ZONE";
      default -> own.equals("UUID") || own.equals("HUGEINT") ? own : "";
    };
  }

  /** Returns the type of a column; a text if a cargo cannot hold it and a cast is declared. */
  private static ValueType type(
      String table, ResultSetMetaData columns, int column, String name, boolean isDeclared)
      throws SQLException, TableException {
    boolean isDecimal = name.startsWith("DECIMAL");
    ValueType type = isDecimal && columns.getPrecision(column) < 1 ? null : ValueType.ofName(name);
    if (type == null && isDeclared) {
      return ValueType.of(ColumnType.STRING);
    }
    if (type == null) {
      String label = columns.getColumnLabel(column);
      throw new TableException(
          "table '%s', column '%s': a cargo cannot hold %s%s: cast it in the query, or with --types '%s=TYPE'"
              .formatted(
                  table,
                  label,
                  columns.getColumnTypeName(column),
                  isDecimal ? digits(columns.getPrecision(column)) : "",
                  label));
    }
    return type;
  }

  private static String digits(int precision) {
    return precision < 1
        ? " of unknown length"
        : ", only up to " + Counted.of(ValueType.MAX_DIGITS, "decimal");
  }

  @Override
  boolean fillBatch() throws IOException {
    int rows = 0;
    int column = 0;
    try {
      while (rows < ColumnValues.DEFAULT_ROWS_PER_PAGE && result.next()) {
        for (column = 0; column < types().size(); column++) {
          set(getVectorSchemaRoot().getVector(column), rows, column + 1, types().get(column));
        }
        rows++;
        row++;
      }
    } catch (SQLException | ArithmeticException e) {
      throw new TableException(
          format(
              "table '%s', row %,d, column '%s': %s",
              table, row + 1, names().get(Math.min(column, names().size() - 1)), e.getMessage()),
          e);
    }
    getVectorSchemaRoot().setRowCount(rows);
    return rows > 0;
  }

  /** Writes the value of the current row of the result. */
  private void set(FieldVector vector, int at, int column, ValueType type) throws SQLException {
    Object value = value(column, type);
    if (value == null || result.wasNull()) {
      vector.setNull(at);
    } else if (value instanceof String text) {
      ByteBuffer utf8 = utf8(text);
      ((VarCharVector) vector).setSafe(at, utf8, utf8.position(), utf8.remaining());
    } else if (value instanceof BigDecimal whole && vector instanceof BigIntVector longs) {
      if (whole.toBigInteger().bitLength() >= Long.SIZE) {
        throw new ArithmeticException(whole.toPlainString() + " has more than 64 bits");
      }
      longs.setSafe(at, whole.longValueExact());
    } else if (value instanceof BigDecimal decimal) {
      DecimalVector decimals = (DecimalVector) vector;
      BigDecimal scaled = decimal.setScale(decimals.getScale(), RoundingMode.UNNECESSARY);
      if (scaled.precision() > decimals.getPrecision()) {
        throw new ArithmeticException(
            "%s has more than the %s that a cargo can hold"
                .formatted(decimal.toPlainString(), Counted.of(decimals.getPrecision(), "digit")));
      }
      decimals.setSafe(at, scaled);
    } else if (value instanceof Double number) {
      if (vector instanceof Float4Vector floats) {
        floats.setSafe(at, number.floatValue());
      } else {
        ((Float8Vector) vector).setSafe(at, number);
      }
    } else {
      setWhole(vector, at, (Long) value, type);
    }
  }

  private ByteBuffer utf8(String text) {
    try {
      return encoder.encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new ArithmeticException(
          "the text has half a character (an unpaired surrogate), which UTF-8 cannot encode");
    }
  }

  /** Writes an integer. A driver may return a larger value than its stated type can hold. */
  private static void setWhole(FieldVector vector, int at, long value, ValueType type) {
    if (vector instanceof BitVector bits) {
      bits.setSafe(at, value == 0 ? 0 : 1);
    } else if (vector instanceof TinyIntVector bytes && value == (byte) value) {
      bytes.setSafe(at, (byte) value);
    } else if (vector instanceof SmallIntVector shorts && value == (short) value) {
      shorts.setSafe(at, (short) value);
    } else if (vector instanceof IntVector ints && value == (int) value) {
      ints.setSafe(at, (int) value);
    } else if (vector instanceof DateDayVector days && value == (int) value) {
      days.setSafe(at, (int) value);
    } else if (vector instanceof BigIntVector longs) {
      longs.setSafe(at, value);
    } else if (vector instanceof TimeMicroVector times) {
      times.setSafe(at, value);
    } else if (vector instanceof TimeStampVector times) {
      times.setSafe(at, value);
    } else {
      throw new ArithmeticException(format("%,d is no %s", value, type.name()));
    }
  }

  /** Returns a Long, Double, BigDecimal or String. For a null, it returns null or any value. */
  private @Nullable Object value(int column, ValueType type) throws SQLException {
    Object value =
        isSqlite ? SqliteValues.value(result, column, type.name()) : fromDriver(column, type);
    if (value instanceof LocalDate date) {
      return date.toEpochDay();
    }
    if (value instanceof LocalTime time) {
      return micros(time.toNanoOfDay(), time);
    }
    if (value instanceof LocalDateTime time) {
      return since1970(time.toInstant(ZoneOffset.UTC), type);
    }
    if (value instanceof OffsetDateTime time) {
      return since1970(time.toInstant(), type);
    }
    return value;
  }

  private @Nullable Object fromDriver(int column, ValueType type) throws SQLException {
    return switch (type.name()) {
      case "BOOLEAN" -> result.getBoolean(column) ? 1L : 0L;
      case "FLOAT" -> (double) result.getFloat(column);
      case "DOUBLE" -> result.getDouble(column);
      case "VARCHAR", "UUID" -> result.getString(column);
      case "DATE" -> result.getObject(column, LocalDate.class);
      case "TIME" -> result.getObject(column, LocalTime.class);
      case "TIMESTAMP", "TIMESTAMP_NS" -> result.getObject(column, LocalDateTime.class);
      case "TIMESTAMP WITH TIME ZONE" -> result.getObject(column, OffsetDateTime.class);
      default ->
          type.arrow() instanceof ArrowType.Decimal || type.isWider()
              ? result.getBigDecimal(column)
              : (Object) result.getLong(column);
    };
  }

  private static long since1970(Instant time, ValueType type) {
    long seconds = time.getEpochSecond();
    return type.name().equals("TIMESTAMP_NS")
        ? Math.addExact(Math.multiplyExact(seconds, NANOS), time.getNano())
        : Math.addExact(Math.multiplyExact(seconds, MICROS), micros(time.getNano(), time));
  }

  private static long micros(long nanos, Object time) {
    if (nanos % NANOS_OF_MICRO != 0) {
      throw new ArithmeticException(time + " has more than microseconds: round it in the query");
    }
    return nanos / NANOS_OF_MICRO;
  }
}
