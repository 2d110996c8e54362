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
 * SQLite's values have types of their own, whatever the column is declared as, and its driver makes
 * of them what is asked for: 12 of 12.34, 0 of a text. So the declaration says what a column is,
 * and a value that is something else is refused.
 */
final class SqliteValues {
  private SqliteValues() {}

  /**
   * DuckDB's name of a column's type, by SQLite's <a href="https://sqlite.org/datatype3.html">rules
   * of affinity</a>; integers have 64 bits. Without a declaration the first row's value tells.
   *
   * @return an empty name if there is none
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
   * A value of the current row.
   *
   * @param type one of {@link #typeName}'s
   * @return as the driver of another database brings it; null if there is none
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

  /** Where a text is no UTF-8, the driver puts another character in its place. */
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
