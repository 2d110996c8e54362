package io.drayage.duckdb.sql;

import io.drayage.cargo.ColumnType;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/**
 * A type of DuckDB and its type in a cargo, one to one.
 *
 * @param name as DuckDB writes it: {@code DECIMAL(15,2)}
 * @param type of the cargo's column
 * @param arrow type of the values in Arrow
 * @param castIn the type that DuckDB casts values to before Arrow reads them; null for no cast
 * @param isKept whether the cargo keeps this type, because its column alone means another
 */
public record ValueType(
    String name, ColumnType type, ArrowType arrow, @Nullable String castIn, boolean isKept) {
  /** The largest number of a decimal's digits that a long holds. */
  public static final int MAX_DIGITS = 18;

  /** The largest number of a decimal's digits in DuckDB. */
  public static final int MAX_DIGITS_READ = 38;

  private static final int DECIMAL_BITS = 128;

  /** 24:00:00. */
  private static final long MICROS_OF_DAY = 86_400_000_000L;

  /** The day of -infinity; the smallest number is not a date. */
  private static final long MIN_DATE = -Integer.MAX_VALUE;

  /** The microseconds of the first day of a TIMESTAMP. */
  private static final long MIN_MICROS = -106_751_991 * MICROS_OF_DAY;

  private static final Pattern DECIMAL =
      Pattern.compile("DECIMAL\\(([0-9]{1,2}), ?([0-9]{1,2})\\)");

  private static final Pattern FRACTION = Pattern.compile("DECIMAL\\(([0-9]{1,2}), ?\\1\\)");

  /** Bits of unsigned integers; for the longest, as many as a long has. */
  private static final Map<String, Integer> UNSIGNED_BITS =
      Map.of("UTINYINT", 8, "USMALLINT", 16, "UINTEGER", 32, "UBIGINT", 63);

  private static final ArrowType TEXT = new ArrowType.Utf8();

  private static final ValueType ENUM =
      new ValueType("ENUM", ColumnType.STRING, TEXT, "VARCHAR", false);

  private static final Map<String, ValueType> FIXED =
      Map.ofEntries(
          plain("BOOLEAN", ColumnType.BOOLEAN, new ArrowType.Bool()),
          plain("TINYINT", ColumnType.BYTE, integer(8)),
          plain("SMALLINT", ColumnType.SHORT, integer(16)),
          plain("INTEGER", ColumnType.INT, integer(32)),
          plain("BIGINT", ColumnType.LONG, integer(64)),
          plain(
              "FLOAT",
              ColumnType.FLOAT,
              new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
          plain(
              "DOUBLE",
              ColumnType.DOUBLE,
              new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
          plain("VARCHAR", ColumnType.STRING, TEXT),
          cast("UTINYINT", ColumnType.SHORT, integer(16), "SMALLINT"),
          cast("USMALLINT", ColumnType.INT, integer(32), "INTEGER"),
          cast("UINTEGER", ColumnType.LONG, integer(64), "BIGINT"),
          cast("UBIGINT", ColumnType.LONG, integer(64), "BIGINT"),
          narrowed("HUGEINT"),
          narrowed("UHUGEINT"),
          cast("UUID", ColumnType.STRING, TEXT, "VARCHAR"),
          cast("JSON", ColumnType.STRING, TEXT, "VARCHAR"),
          kept("DATE", ColumnType.INT, new ArrowType.Date(DateUnit.DAY)),
          kept("TIME", ColumnType.LONG, new ArrowType.Time(TimeUnit.MICROSECOND, 64)),
          timestamp("TIMESTAMP", TimeUnit.MICROSECOND, null),
          timestamp("TIMESTAMP_S", TimeUnit.SECOND, null),
          timestamp("TIMESTAMP_MS", TimeUnit.MILLISECOND, null),
          timestamp("TIMESTAMP_NS", TimeUnit.NANOSECOND, null),
          timestamp("TIMESTAMP WITH TIME ZONE", TimeUnit.MICROSECOND, "UTC"));

  private static Map.Entry<String, ValueType> plain(String name, ColumnType type, ArrowType arrow) {
    return Map.entry(name, new ValueType(name, type, arrow, null, false));
  }

  private static Map.Entry<String, ValueType> kept(String name, ColumnType type, ArrowType arrow) {
    return Map.entry(name, new ValueType(name, type, arrow, null, true));
  }

  private static Map.Entry<String, ValueType> cast(
      String name, ColumnType type, ArrowType arrow, String castIn) {
    return Map.entry(name, new ValueType(name, type, arrow, castIn, true));
  }

  /** Reads an integer of 128 bits as one of 64 bits, because Parquet would write it as a DOUBLE. */
  private static Map.Entry<String, ValueType> narrowed(String name) {
    return Map.entry(name, new ValueType(name, ColumnType.LONG, integer(64), "BIGINT", false));
  }

  private static Map.Entry<String, ValueType> timestamp(
      String name, TimeUnit unit, @Nullable String zone) {
    return kept(name, ColumnType.LONG, new ArrowType.Timestamp(unit, zone));
  }

  private static ArrowType integer(int bits) {
    return new ArrowType.Int(bits, true);
  }

  /**
   * Returns the type of a name; null if a cargo cannot hold it. The name in the type is built anew,
   * so that statements may contain it.
   */
  public static @Nullable ValueType ofName(String name) {
    Matcher decimal = DECIMAL.matcher(name);
    if (decimal.matches()) {
      return decimal(Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
    }
    return FIXED.get(name);
  }

  /** Returns the type of a name that DuckDB returns, where an ENUM lists its values. */
  public static @Nullable ValueType described(String name) {
    return name.startsWith("ENUM(") ? ENUM : ofName(name);
  }

  /** Returns the type of a decimal; with more digits, it holds only values that fit. */
  private static @Nullable ValueType decimal(int digits, int scale) {
    if (digits < 1 || digits > MAX_DIGITS_READ || scale > Math.min(digits, MAX_DIGITS)) {
      return null;
    }
    int kept = Math.min(digits, MAX_DIGITS);
    return new ValueType(
        "DECIMAL(" + digits + "," + scale + ")",
        ColumnType.LONG,
        new ArrowType.Decimal(kept, scale, DECIMAL_BITS),
        kept == digits ? null : decimalName(kept, scale),
        true);
  }

  /** Returns the name of a decimal in ASCII digits, in every language of the machine. */
  public static String decimalName(int digits, int scale) {
    return "DECIMAL(" + digits + "," + scale + ")";
  }

  /**
   * Returns the type for a cast before a value is printed. DuckDB writes .5 if all digits of a
   * decimal are after the point, and 0.5 with the returned type.
   *
   * @param name of a type as DuckDB writes it, also with other types within; it is returned itself
   *     if it has no such decimal, or no longer one is possible
   */
  public static String printed(String name) {
    return FRACTION
        .matcher(name)
        .replaceAll(
            found -> {
              int digits = Integer.parseInt(found.group(1));
              return digits < MAX_DIGITS_READ ? decimalName(digits + 1, digits) : found.group();
            });
  }

  /** Returns the type of a column without an entry in the table of types. */
  public static ValueType of(ColumnType type) {
    return FIXED.values().stream()
        .filter(each -> each.type == type && !each.isKept && each.castIn == null)
        .findFirst()
        .orElseThrow();
  }

  /** Whether a column of integers may have values that this type cannot hold. */
  public boolean isBounded() {
    return minValue() != Long.MIN_VALUE || maxValue() != Long.MAX_VALUE;
  }

  /** Whether an integer in this type's unit is a value that DuckDB can print and export. */
  public boolean has(long value) {
    boolean isInfinite =
        arrow instanceof ArrowType.Timestamp
            && (value == Long.MAX_VALUE || value == -Long.MAX_VALUE);
    return isInfinite || (value >= minValue() && value <= maxValue());
  }

  private long minValue() {
    if (arrow instanceof ArrowType.Decimal decimal) {
      return -maxDecimal(decimal);
    } else if (arrow instanceof ArrowType.Time || UNSIGNED_BITS.containsKey(name)) {
      return 0;
    } else if (arrow instanceof ArrowType.Date) {
      return MIN_DATE;
    }
    if (arrow instanceof ArrowType.Timestamp timestamp) {
      // For the other types, DuckDB splits the value into day and time.
      return timestamp.getTimezone() != null || timestamp.getUnit() == TimeUnit.NANOSECOND
          ? -Long.MAX_VALUE
          : MIN_MICROS / micros(timestamp.getUnit());
    }
    return Long.MIN_VALUE;
  }

  private long maxValue() {
    if (arrow instanceof ArrowType.Decimal decimal) {
      return maxDecimal(decimal);
    } else if (UNSIGNED_BITS.containsKey(name)) {
      return (1L << UNSIGNED_BITS.get(name)) - 1;
    }
    if (arrow instanceof ArrowType.Timestamp timestamp
        && timestamp.getUnit() != TimeUnit.NANOSECOND) {
      return Long.MAX_VALUE / micros(timestamp.getUnit());
    }
    return arrow instanceof ArrowType.Time ? MICROS_OF_DAY : Long.MAX_VALUE;
  }

  private static long micros(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1_000_000;
      case MILLISECOND -> 1_000;
      default -> 1;
    };
  }

  private static long maxDecimal(ArrowType.Decimal decimal) {
    long above = 1;
    for (int i = 0; i < decimal.getPrecision(); i++) {
      above *= 10;
    }
    return above - 1;
  }

  /** Returns the names of the types of such columns that a cargo has to keep, for messages. */
  public static String keptNames(ColumnType type) {
    String names =
        FIXED.values().stream()
            .filter(each -> each.isKept && each.type == type)
            .map(ValueType::name)
            .sorted()
            .collect(Collectors.joining(", "));
    return type == ColumnType.LONG
        ? names + ", DECIMAL of up to " + MAX_DIGITS + " digits"
        : names.isEmpty() ? "that" : names;
  }

  /** Whether the type has values that a cargo cannot hold. */
  public boolean isWider() {
    return castIn != null && type == ColumnType.LONG && !name.equals("UINTEGER");
  }

  /** Describes the conversion of the values: {@code DECIMAL(15,2) -> LONG, times 10^2}. */
  public String mapping() {
    return "%s -> %s%s".formatted(name, type, unit());
  }

  private String unit() {
    if (arrow instanceof ArrowType.Decimal decimal) {
      return ", times 10^" + decimal.getScale();
    } else if (arrow instanceof ArrowType.Date) {
      return ", days since 1970";
    } else if (arrow instanceof ArrowType.Time) {
      return ", microseconds";
    } else if (arrow instanceof ArrowType.Timestamp timestamp) {
      return ", %ss since 1970%s"
          .formatted(
              timestamp.getUnit().name().toLowerCase(Locale.ROOT),
              timestamp.getTimezone() == null ? "" : " in UTC");
    }
    return "";
  }
}
