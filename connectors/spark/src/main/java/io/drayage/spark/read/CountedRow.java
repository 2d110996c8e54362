package io.drayage.spark.read;

import io.drayage.spark.database.TableDescription;
import io.drayage.store.column.Bounds;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** One row of aggregates over all rows of a table, which are known without reading values. */
record CountedRow(StructType readSchema, InternalRow row, String description) implements LocalScan {
  /** The value of an aggregate; null for SQL's null. */
  private record Value(@Nullable Object value) {}

  /**
   * Returns the columns whose bounds aggregates need; null if one of the aggregates cannot be known
   * without reading values.
   */
  static @Nullable Set<String> columns(TableDescription table, Aggregation aggregation) {
    Set<String> columns = new HashSet<>();
    boolean isKnown = aggregation.groupByExpressions().length == 0;
    for (AggregateFunc each : aggregation.aggregateExpressions()) {
      String column = column(table, each);
      if (each instanceof Min || each instanceof Max) {
        isKnown &= column != null;
        columns.add(String.valueOf(column));
      } else if (each instanceof Count count) {
        isKnown &=
            column != null
                && !count.isDistinct()
                && !table.schema().columns().get(table.schema().indexOf(column)).nullable();
      } else {
        isKnown &= each instanceof CountStar;
      }
    }
    return isKnown ? columns : null;
  }

  /** Returns the stored column that an aggregate reads; null if it reads something else. */
  private static @Nullable String column(TableDescription table, AggregateFunc aggregate) {
    Expression[] parts = aggregate.children();
    return parts.length == 1
            && parts[0] instanceof NamedReference column
            && column.fieldNames().length == 1
            && table.schema().indexOf(column.fieldNames()[0]) >= 0
        ? column.fieldNames()[0]
        : null;
  }

  /**
   * Returns the row of aggregates with known {@link #columns}; null if the bounds are not exact.
   *
   * @param types of the table's columns, by name
   */
  static @Nullable CountedRow of(
      TableDescription table,
      Aggregation aggregation,
      TablePages pages,
      Map<String, DataType> types,
      String description) {
    AggregateFunc[] aggregates = aggregation.aggregateExpressions();
    StructField[] fields = new StructField[aggregates.length];
    @Nullable Object[] values = new Object[aggregates.length];
    for (int i = 0; i < aggregates.length; i++) {
      DataType type = DataTypes.LongType;
      Value value = new Value(pages.liveRows());
      boolean isLow = aggregates[i] instanceof Min;
      String column = isLow || aggregates[i] instanceof Max ? column(table, aggregates[i]) : null;
      if (column != null) {
        type = Objects.requireNonNull(types.get(column));
        Bounds bounds = pages.exact(column, isLow);
        value = bounds == null ? null : value(bounds, isLow, type);
      }
      if (value == null) {
        return null;
      }
      fields[i] = DataTypes.createStructField(aggregates[i].toString(), type, column != null);
      values[i] = value.value;
    }
    return new CountedRow(
        DataTypes.createStructType(fields),
        new GenericInternalRow(values),
        description + ", " + Arrays.toString(aggregates) + " without reading columns");
  }

  /** Returns a bound as Spark holds it; null if it may differ from the value. */
  private static @Nullable Value value(Bounds bounds, boolean isLow, DataType type) {
    if (!bounds.hasValue()) {
      return new Value(null);
    }
    long number = isLow ? bounds.low() : bounds.high();
    if (type.equals(DataTypes.StringType)) {
      return new Value(UTF8String.fromString(isLow ? bounds.lowText() : bounds.highText()));
    } else if (type.equals(DataTypes.DoubleType) || type.equals(DataTypes.FloatType)) {
      // A zero may have a sign.
      double value = Bounds.ofKey(number);
      Object typed = type.equals(DataTypes.FloatType) ? (Object) (float) value : (Object) value;
      return value == 0 ? null : new Value(typed);
    } else if (type instanceof DecimalType decimal) {
      long limit = Decimal.POW_10()[decimal.precision()];
      return number >= limit || number <= -limit
          ? null
          : new Value(Decimal.createUnsafe(number, decimal.precision(), decimal.scale()));
    } else if (type.equals(DataTypes.BooleanType)) {
      return new Value(number != 0);
    } else if (type.equals(DataTypes.ByteType)) {
      return new Value((byte) number);
    } else if (type.equals(DataTypes.ShortType)) {
      return new Value((short) number);
    }
    boolean isInt = type.equals(DataTypes.IntegerType) || type.equals(DataTypes.DateType);
    return new Value(isInt ? (Object) (int) number : (Object) number);
  }

  @Override
  public InternalRow[] rows() {
    return new InternalRow[] {row};
  }
}
