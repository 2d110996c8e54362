package io.drayage.duckdb;

import io.drayage.duckdb.sql.ValueType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Values of SQLite. Each value has its own type, independent of the column's declaration. The
 * driver converts it to any requested type: 12.34 to 12, a text to 0. Therefore the declaration
 * sets the type of a column, and a value of another type is refused.
 */
final class SqliteValues {
  private SqliteValues() {}

  /**
   * Returns DuckDB's name of a column's type; empty if there is none. It follows SQLite's <a
   * href="https://sqlite.org/datatype3.html">rules of affinity</a>; integers have 64 bits. Without
   * a declaration, the value in the first row decides.
   */
  static String typeName(ResultSetMetaData columns, int column) throws SQLException {
    String declared = columns.getColumnTypeName(column).toUpperCase(Locale.ROOT);
    if (declared.contains("BOOL")) {
      return "BOOLEAN";
    }
    if (declared.contains("INT")) {
      return "BIGINT";
    }
    if (declared.contains("CHAR") || declared.contains("CLOB") || declared.contains("TEXT")) {
      return "VARCHAR";
    }
    if (declared.contains("REAL") || declared.contains("FLOA") || declared.contains("DOUB")) {
      return "DOUBLE";
    }
    return switch (declared) {
      case "DATE", "TIME", "TIMESTAMP" -> declared;
      case "DATETIME" -> "TIMESTAMP";
      case "DECIMAL", "NUMERIC" ->
          ValueType.decimalName(columns.getPrecision(column), columns.getScale(column));
      default -> "";
    };
  }

  /**
   * Returns a value of the current row.
   *
   * @param type a name from {@link #typeName}
   * @return the value in the form of other drivers; null if there is none
   * @throws ArithmeticException if it is not of this type
   */
  static @Nullable Object value(ResultSet result, int column, String type) throws SQLException {
    Object value = result.getObject(column);
    if (value == null) {
      return null;
    }
    try {
      return switch (type) {
        case "VARCHAR" -> text(result, column);
        case "DOUBLE" -> ((Number) value).doubleValue();
        case "BIGINT" -> whole(value);
        case "BOOLEAN" -> {
          long number = whole(value);
          if (number != 0 && number != 1) {
            throw notOf(type, value);
          }
          yield number;
        }
        case "DATE" -> LocalDate.parse((String) value);
        case "TIME" -> LocalTime.parse((String) value);
        case "TIMESTAMP" -> LocalDateTime.parse(((String) value).replace(' ', 'T'));
        default -> new BigDecimal(value.toString());
      };
    } catch (ClassCastException | DateTimeException | NumberFormatException e) {
      throw notOf(type, value);
    }
  }

  /** Refuses a text that is not UTF-8, because the driver replaces characters in it. */
  private static String text(ResultSet result, int column) throws SQLException {
    String text = result.getString(column);
    if (text.indexOf('\ufffd') >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), result.getBytes(column))) {
      throw new ArithmeticException("'%s' is no text in UTF-8".formatted(text));
    }
    return text;
  }

  private static long whole(Object value) {
    if (value instanceof Integer number) {
      return number;
    }
    return (Long) value;
  }

  private static ArithmeticException notOf(String type, Object value) {
    return new ArithmeticException("'%s' is no %s: cast it in the query".formatted(value, type));
  }
}
