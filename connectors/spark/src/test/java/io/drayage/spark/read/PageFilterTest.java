package io.drayage.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RowBits;
import io.drayage.store.column.Bounds;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.Extent;
import io.drayage.store.column.LivePages;
import io.drayage.store.column.StoredColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random filters on random pages, compared with their evaluation on every row. */
final class PageFilterTest {
  private static final List<String> COMPARISONS = List.of("=", "<=>", "<>", "<", "<=", ">", ">=");
  private static final List<String> TEXTS =
      List.of("", "a", "ab", "b", "é", "\uFFFD", "😀", "ab".repeat(20), "ab".repeat(20) + "c");

  private static final List<DataType> TYPES =
      List.of(
          DataTypes.BooleanType,
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType,
          DataTypes.StringType,
          DataTypes.DateType,
          DataTypes.TimestampType,
          DataTypes.TimestampNTZType,
          DataTypes.createDecimalType(12, 2));

  /** A column of one page: the values as Spark has them. */
  private record Column(DataType type, List<@Nullable Object> values, Bounds bounds) {}

  private static ColumnType stored(DataType type) {
    return switch (TYPES.indexOf(type)) {
      case 0 -> ColumnType.BOOLEAN;
      case 1 -> ColumnType.BYTE;
      case 2 -> ColumnType.SHORT;
      case 3, 8 -> ColumnType.INT;
      case 5 -> ColumnType.FLOAT;
      case 6 -> ColumnType.DOUBLE;
      case 7 -> ColumnType.STRING;
      default -> ColumnType.LONG;
    };
  }

  private static Object value(DataType type, SplittableRandom random) {
    int few = random.nextInt(-4, 5);
    double[] numbers = {
      Double.NaN, -0.0, 0.0, 1.5, -1.5, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 3, 9
    };
    return switch (stored(type)) {
      case BOOLEAN -> few < 0;
      case BYTE -> (byte) few;
      case SHORT -> (short) few;
      case INT -> few;
      case LONG ->
          TYPES.indexOf(type) == 11 ? Decimal.createUnsafe(few, 12, 2) : (Object) (long) few;
      case FLOAT -> (float) numbers[few + 4];
      case DOUBLE -> numbers[few + 4];
      case STRING -> UTF8String.fromString(TEXTS.get(few + 4));
    };
  }

  private static Column column(DataType type, int rows, RowBits gone, SplittableRandom random) {
    List<@Nullable Object> values = new ArrayList<>();
    ColumnBuilder builder = new ColumnBuilder(stored(type));
    int nulls = random.nextInt(3) * random.nextInt(51);
    Object first = value(type, random);
    boolean isNarrow = random.nextBoolean();
    for (int row = 0; row < rows; row++) {
      Object value = isNarrow && random.nextInt(3) > 0 ? first : value(type, random);
      value = random.nextInt(100) < nulls ? null : value;
      values.add(value);
      builder.add(
          value instanceof UTF8String text
              ? text.toString()
              : value instanceof Decimal decimal ? (Object) decimal.toUnscaledLong() : value);
    }
    StoredColumn column =
        new StoredColumn(
            ColumnSchema.nullable("c", stored(type)), List.of(Extent.adopt(builder.build(), 0)));
    List<Bounds> pages = new LivePages(column, DeletedRows.NONE.plus(gone)).bounds();
    return new Column(type, values, pages.get(0));
  }

  private static Predicate filter(Map<String, Column> columns, int depth, SplittableRandom random) {
    int kind = random.nextInt(depth > 0 ? 9 : 6);
    if (kind == 6) {
      return new And(filter(columns, depth - 1, random), filter(columns, depth - 1, random));
    } else if (kind == 7) {
      return new Or(filter(columns, depth - 1, random), filter(columns, depth - 1, random));
    } else if (kind == 8) {
      return new Not(filter(columns, depth - 1, random));
    }
    String name = "c" + random.nextInt(columns.size());
    DataType type = columns.get(name).type;
    NamedReference column = Expressions.column(name);
    if (kind == 0) {
      return predicate(random.nextBoolean() ? "IS_NULL" : "IS_NOT_NULL", column);
    } else if (kind == 1) {
      Expression[] parts = new Expression[random.nextInt(1, 4)];
      parts[0] = column;
      for (int i = 1; i < parts.length; i++) {
        parts[i] = literal(type, random);
      }
      return predicate("IN", parts);
    } else if (kind == 2 && type.equals(DataTypes.StringType)) {
      return predicate("STARTS_WITH", column, literal(type, random));
    }
    Literal<?> literal = literal(type, random);
    String comparison = COMPARISONS.get(random.nextInt(COMPARISONS.size()));
    return random.nextInt(4) == 0
        ? predicate(comparison, literal, column)
        : predicate(comparison, column, literal);
  }

  private static Predicate predicate(String name, Expression... parts) {
    return new Predicate(name, parts);
  }

  private static Literal<?> literal(DataType type, SplittableRandom random) {
    return new LiteralValue<>(random.nextInt(20) == 0 ? null : value(type, random), type);
  }

  /** Evaluates a filter as SQL does; null for unknown. */
  private static @Nullable Boolean evaluate(
      Expression filter, Map<String, Column> columns, int row) {
    Expression[] parts = filter.children();
    String name = ((Predicate) filter).name();
    switch (name) {
      case "AND", "OR" -> {
        Boolean one = evaluate(parts[0], columns, row);
        Boolean other = evaluate(parts[1], columns, row);
        boolean decisive = name.equals("OR");
        if ((one != null && one == decisive) || (other != null && other == decisive)) {
          return decisive;
        }
        boolean isUnknown = one == null || other == null;
        return isUnknown ? null : Boolean.valueOf(!decisive);
      }
      case "NOT" -> {
        Boolean inner = evaluate(parts[0], columns, row);
        return inner == null ? null : Boolean.valueOf(!inner);
      }
      default -> {
        List<@Nullable Object> values = new ArrayList<>();
        for (Expression part : parts) {
          values.add(
              part instanceof Literal<?> literal
                  ? literal.value()
                  : columns.get(((NamedReference) part).fieldNames()[0]).values.get(row));
        }
        return evaluate(name, values);
      }
    }
  }

  private static @Nullable Boolean evaluate(String name, List<@Nullable Object> values) {
    Object first = values.get(0);
    if (name.equals("IS_NULL") || name.equals("IS_NOT_NULL")) {
      return (first == null) == name.equals("IS_NULL");
    } else if (name.equals("IN")) {
      boolean isFound =
          first != null
              && values.stream()
                  .skip(1)
                  .anyMatch(each -> each != null && compare(first, each) == 0);
      boolean isUnknown = first == null || values.contains(null);
      return isFound ? Boolean.TRUE : isUnknown ? null : Boolean.FALSE;
    }
    Object second = values.get(1);
    if (name.equals("<=>") && (first == null || second == null)) {
      return first == second;
    } else if (first == null || second == null) {
      return null;
    } else if (name.equals("STARTS_WITH")) {
      return ((UTF8String) first).startsWith((UTF8String) second);
    }
    int order = compare(first, second);
    return switch (name) {
      case "=", "<=>" -> order == 0;
      case "<>" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }

  private static int compare(Object one, Object other) {
    if (one instanceof Float || one instanceof Double) {
      double a = ((Number) one).doubleValue();
      double b = ((Number) other).doubleValue();
      return a == b ? 0 : Double.compare(a, b);
    } else if (one instanceof UTF8String text) {
      return Arrays.compareUnsigned(text.getBytes(), ((UTF8String) other).getBytes());
    } else if (one instanceof Decimal decimal) {
      return decimal.compare((Decimal) other);
    }
    return one instanceof Boolean flag
        ? Boolean.compare(flag, (Boolean) other)
        : Long.compare(((Number) one).longValue(), ((Number) other).longValue());
  }

  @Test
  void aPageWithAnAcceptedRowIsNeverLeftOut() {
    int accepted = 0;
    int leftOut = 0;
    int kept = 0;
    for (int seed = 0; seed < 40_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int rows = random.nextInt(1, 12);
      RowBits gone = new RowBits(rows);
      IntStream.range(1, rows).filter(row -> random.nextInt(4) == 0).forEach(gone::set);
      Map<String, Column> columns = new HashMap<>();
      for (int i = 0; i < 2; i++) {
        DataType type = TYPES.get(random.nextInt(TYPES.size()));
        columns.put("c" + i, column(type, rows, gone, random));
      }
      Predicate filter = filter(columns, random.nextInt(4), random);
      PageFilter page =
          new PageFilter(name -> columns.get(name).bounds, name -> columns.get(name).type);
      boolean isAccepted =
          IntStream.range(0, rows)
              .anyMatch(
                  row -> !gone.get(row) && Boolean.TRUE.equals(evaluate(filter, columns, row)));
      boolean mayAccept = page.mayAccept(filter);
      assertThat(mayAccept || !isAccepted).as("seed %s: %s on %s", seed, filter, columns).isTrue();
      accepted += isAccepted ? 1 : 0;
      leftOut += mayAccept ? 0 : 1;
      kept += mayAccept && !isAccepted ? 1 : 0;
    }
    assertThat(accepted).isGreaterThan(10_000);
    assertThat(leftOut).isGreaterThan(5_000);
    assertThat(kept).as("kept without need").isLessThan(leftOut);
  }

  @Test
  void whatIsNotKnownLeavesNothingOut() {
    NamedReference column = Expressions.column("c");
    PageFilter unknown = new PageFilter(name -> null, name -> DataTypes.LongType);
    Bounds ones = new Bounds(false, true, 1, 1, "", "", false, false);
    PageFilter known = new PageFilter(name -> ones, name -> DataTypes.LongType);
    Literal<?> two = new LiteralValue<>(2L, DataTypes.LongType);
    Predicate isTwo = predicate("=", column, two);

    assertThat(unknown.mayAccept(isTwo)).isTrue();
    assertThat(known.mayAccept(isTwo)).isFalse();
    assertThat(known.mayAccept(predicate("ENDS_WITH", column, two))).isTrue();
    assertThat(
            known.mayAccept(predicate("=", column, new LiteralValue<>(2, DataTypes.IntegerType))))
        .as("another type")
        .isTrue();
    assertThat(PageFilter.isKnown(new Or(isTwo, predicate("ENDS_WITH", column, two)))).isFalse();
    assertThat(known.mayAccept(new And(isTwo, predicate("ENDS_WITH", column, two)))).isFalse();
  }
}
