package io.drayage.spark.database;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/**
 * The types of Spark that a column can have. The column's own type is one of the eight of a cargo.
 * For other types, a row of the table of types has DuckDB's name of the type.
 */
public final class SparkTypes {
  /** The largest number of a decimal's digits that a long holds. */
  public static final int MAX_DIGITS = 18;

  private static final String DATE = "DATE";
  private static final String TIMESTAMP = "TIMESTAMP WITH TIME ZONE";
  private static final String TIMESTAMP_NTZ = "TIMESTAMP";

  private static final Pattern DECIMAL =
      Pattern.compile("DECIMAL\\(([0-9]{1,2}), ?([0-9]{1,2})\\)");

  /** Types of Spark that the column's own type expresses. */
  private static final Map<DataType, ColumnType> PLAIN =
      Map.of(
          DataTypes.BooleanType, ColumnType.BOOLEAN,
          DataTypes.ByteType, ColumnType.BYTE,
          DataTypes.ShortType, ColumnType.SHORT,
          DataTypes.IntegerType, ColumnType.INT,
          DataTypes.LongType, ColumnType.LONG,
          DataTypes.FloatType, ColumnType.FLOAT,
          DataTypes.DoubleType, ColumnType.DOUBLE,
          DataTypes.StringType, ColumnType.STRING);

  /** Types of other systems whose values are those of the column. */
  private static final Map<String, ColumnType> NARROWER =
      Map.of(
          "UUID", ColumnType.STRING,
          "JSON", ColumnType.STRING,
          "UTINYINT", ColumnType.SHORT,
          "USMALLINT", ColumnType.INT,
          "UINTEGER", ColumnType.LONG,
          "UBIGINT", ColumnType.LONG);

  private SparkTypes() {}

  /**
   * The type of a column in the database.
   *
   * @param kept its type in the table of types; null for none
   */
  public record Stored(ColumnType type, @Nullable String kept) {}

  /**
   * Returns the database's type for a column of Spark.
   *
   * @throws UnsupportedOperationException if there is none, with the column's name
   */
  public static Stored stored(String table, String column, DataType type) {
    ColumnType plain = PLAIN.get(type);
    if (plain != null) {
      return new Stored(plain, null);
    } else if (type.equals(DataTypes.DateType)) {
      return new Stored(ColumnType.INT, DATE);
    } else if (type.equals(DataTypes.TimestampType)) {
      return new Stored(ColumnType.LONG, TIMESTAMP);
    } else if (type.equals(DataTypes.TimestampNTZType)) {
      return new Stored(ColumnType.LONG, TIMESTAMP_NTZ);
    } else if (type instanceof DecimalType decimal
        && decimal.precision() <= MAX_DIGITS
        && decimal.scale() >= 0) {
      return new Stored(
          ColumnType.LONG, "DECIMAL(" + decimal.precision() + "," + decimal.scale() + ")");
    }
    throw new DrayageUnsupportedException(
        format(
            "column '%s' of table '%s' is %s, which Drayage cannot hold, only BOOLEAN,"
                + " TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, STRING, DATE, TIMESTAMP,"
                + " TIMESTAMP_NTZ and DECIMAL of up to %d digits: cast it, or leave it out",
            column, table, type.sql(), MAX_DIGITS));
  }

  /**
   * Returns Spark's type for a column of the database.
   *
   * @throws UnsupportedOperationException if there is none, with the column's name
   */
  public static DataType of(String table, String column, Stored stored) {
    String kept = stored.kept;
    if (kept == null) {
      return plain(stored.type);
    }
    DataType type = ofKept(kept, stored.type);
    if (type == null) {
      throw new DrayageUnsupportedException(
          "column '%s' of table '%s' is %s in a column of %s, which Spark cannot read: leave the table to 'snapshot export' or 'snapshot sql'"
              .formatted(column, table, kept, stored.type));
    }
    return type;
  }

  private static @Nullable DataType ofKept(String kept, ColumnType type) {
    Matcher decimal = DECIMAL.matcher(kept);
    if (decimal.matches() && type == ColumnType.LONG) {
      int digits = Math.min(MAX_DIGITS, Integer.parseInt(decimal.group(1)));
      int scale = Integer.parseInt(decimal.group(2));
      return digits < 1 || scale > digits ? null : DataTypes.createDecimalType(digits, scale);
    } else if (kept.equals(DATE) && type == ColumnType.INT) {
      return DataTypes.DateType;
    } else if (kept.equals(TIMESTAMP) && type == ColumnType.LONG) {
      return DataTypes.TimestampType;
    } else if (kept.equals(TIMESTAMP_NTZ) && type == ColumnType.LONG) {
      return DataTypes.TimestampNTZType;
    }
    return NARROWER.get(kept) == type ? plain(type) : null;
  }

  /**
   * Whether a column can hold all values of its type in Spark, because Spark does not check them.
   */
  public static boolean isWritable(Stored stored) {
    String kept = stored.kept;
    return kept == null || !NARROWER.containsKey(kept);
  }

  private static DataType plain(ColumnType type) {
    return switch (type) {
      case BOOLEAN -> DataTypes.BooleanType;
      case BYTE -> DataTypes.ByteType;
      case SHORT -> DataTypes.ShortType;
      case INT -> DataTypes.IntegerType;
      case LONG -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
      case STRING -> DataTypes.StringType;
    };
  }
}
