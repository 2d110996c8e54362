package io.drayage.spark.read;

import io.drayage.spark.database.SparkTypes;
import io.drayage.store.column.Bounds;
import java.util.Arrays;
import java.util.function.Function;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the bounds of the columns whether a filter can accept a row of a page. If in doubt it
 * can, because Spark evaluates the filter on the rows that are read.
 *
 * @param bounds of a column in the page, by name; null if unknown
 * @param types of the columns in Spark, by name; null if unknown
 */
record PageFilter(
    Function<String, @Nullable Bounds> bounds, Function<String, @Nullable DataType> types) {
  /** Whether bounds can exclude a page. */
  static boolean isKnown(Predicate filter) {
    Expression[] parts = filter.children();
    return switch (filter.name()) {
      case "AND" -> isKnown(parts[0]) || isKnown(parts[1]);
      case "OR" -> isKnown(parts[0]) && isKnown(parts[1]);
      case "NOT" -> isKnown(parts[0]);
      case "IS_NULL", "IS_NOT_NULL" -> isColumn(parts[0]);
      case "=", "<=>", "<>", "<", "<=", ">", ">=" ->
          (isColumn(parts[0]) && parts[1] instanceof Literal)
              || (isColumn(parts[1]) && parts[0] instanceof Literal);
      case "IN" ->
          isColumn(parts[0])
              && Arrays.stream(parts).skip(1).allMatch(part -> part instanceof Literal);
      case "STARTS_WITH" -> isColumn(parts[0]) && parts[1] instanceof Literal;
      default -> false;
    };
  }

  private static boolean isKnown(Expression part) {
    return part instanceof Predicate filter && isKnown(filter);
  }

  private static boolean isColumn(Expression part) {
    return part instanceof NamedReference column && column.fieldNames().length == 1;
  }

  /** Whether the filter may be true for a row. */
  boolean mayAccept(Expression filter) {
    return may(filter, true);
  }

  /** Whether the filter may be {@code outcome} for a row; for SQL, null is neither. */
  private boolean may(Expression expression, boolean outcome) {
    if (!(expression instanceof Predicate filter) || !isKnown(filter)) {
      return true;
    }
    Expression[] parts = filter.children();
    return switch (filter.name()) {
      case "AND" -> both(parts, outcome, outcome);
      case "OR" -> both(parts, outcome, !outcome);
      case "NOT" -> may(parts[0], !outcome);
      case "IS_NULL" -> mayBeNull(parts[0], outcome);
      case "IS_NOT_NULL" -> mayBeNull(parts[0], !outcome);
      case "IN" ->
          outcome
              ? Arrays.stream(parts).skip(1).anyMatch(each -> mayCompare("=", parts[0], each))
              : mayBeNull(parts[0], false);
      case "STARTS_WITH" ->
          outcome ? mayStartWith(parts[0], (Literal<?>) parts[1]) : mayBeNull(parts[0], false);
      case "<=>" -> mayBeSame(parts, outcome);
      default -> mayCompare(outcome ? filter.name() : negated(filter.name()), parts[0], parts[1]);
    };
  }

  /**
   * @param outcome of each part
   * @param isAll whether both parts must have it
   */
  private boolean both(Expression[] parts, boolean outcome, boolean isAll) {
    return isAll
        ? may(parts[0], outcome) && may(parts[1], outcome)
        : may(parts[0], outcome) || may(parts[1], outcome);
  }

  private @Nullable Bounds boundsOf(Expression column) {
    return bounds.apply(name(column));
  }

  private static String name(Expression column) {
    return ((NamedReference) column).fieldNames()[0];
  }

  private boolean mayBeNull(Expression column, boolean outcome) {
    Bounds known = boundsOf(column);
    return known == null || (outcome ? known.hasNull() : known.hasValue());
  }

  /** The comparison that treats nulls as equal. */
  private boolean mayBeSame(Expression[] parts, boolean outcome) {
    Expression column = isColumn(parts[0]) ? parts[0] : parts[1];
    Literal<?> literal = (Literal<?>) (isColumn(parts[0]) ? parts[1] : parts[0]);
    if (literal.value() == null) {
      return mayBeNull(column, outcome);
    }
    return outcome
        ? mayCompare("=", column, literal)
        : mayBeNull(column, true) || mayCompare("<>", column, literal);
  }

  private static String negated(String comparison) {
    return switch (comparison) {
      case "=" -> "<>";
      case "<>" -> "=";
      case "<" -> ">=";
      case "<=" -> ">";
      case ">" -> "<=";
      default -> "<";
    };
  }

  /** The comparison with exchanged sides. */
  private static String exchanged(String comparison) {
    return switch (comparison) {
      case "<" -> ">";
      case "<=" -> ">=";
      case ">" -> "<";
      case ">=" -> "<=";
      default -> comparison;
    };
  }

  private boolean mayCompare(String comparison, Expression left, Expression right) {
    if (!isColumn(left)) {
      return mayCompare(exchanged(comparison), right, left);
    }
    Bounds known = boundsOf(left);
    Literal<?> literal = (Literal<?>) right;
    if (known == null || !literal.dataType().equals(types.apply(name(left)))) {
      return true;
    }
    if (literal.value() == null || !known.hasValue()) {
      return false;
    }
    Object value = comparable(literal);
    if (value instanceof UTF8String text) {
      UTF8String low = UTF8String.fromString(known.lowText());
      UTF8String high = UTF8String.fromString(known.highText());
      return mayCompare(
          comparison,
          text.compareTo(low),
          text.compareTo(high),
          known.highIsCut() && text.startsWith(high),
          !known.lowIsCut() && !known.highIsCut());
    }
    return !(value instanceof Long number)
        || mayCompare(
            comparison,
            Long.compare(number, known.low()),
            Long.compare(number, known.high()),
            false,
            true);
  }

  /**
   * @param toLow the literal's order to the low bound
   * @param toHigh the literal's order to the high bound
   * @param mayBeHigher whether a value may be higher than the literal although the bound is not
   * @param areExact whether the bounds are values
   */
  private static boolean mayCompare(
      String comparison, int toLow, int toHigh, boolean mayBeHigher, boolean areExact) {
    return switch (comparison) {
      case "=" -> toLow >= 0 && (toHigh <= 0 || mayBeHigher);
      case "<>" -> toLow != 0 || toHigh != 0 || !areExact;
      case "<" -> toLow > 0;
      case "<=" -> toLow >= 0;
      case ">" -> toHigh < 0 || mayBeHigher;
      default -> toHigh <= 0 || mayBeHigher;
    };
  }

  private boolean mayStartWith(Expression column, Literal<?> literal) {
    Bounds known = boundsOf(column);
    if (known == null || !literal.dataType().equals(types.apply(name(column)))) {
      return true;
    }
    if (!known.hasValue() || !(literal.value() instanceof UTF8String begin)) {
      return false;
    }
    UTF8String low = UTF8String.fromString(known.lowText());
    UTF8String high = UTF8String.fromString(known.highText());
    return (low.compareTo(begin) <= 0 || low.startsWith(begin))
        && (high.compareTo(begin) >= 0 || (known.highIsCut() && begin.startsWith(high)));
  }

  /** Returns a literal as {@link Bounds} has it: a long, or a text; null if there is none. */
  private static @Nullable Object comparable(Literal<?> literal) {
    Object value = literal.value();
    if (value instanceof Boolean flag) {
      return flag ? 1L : 0L;
    } else if (value instanceof Double || value instanceof Float) {
      return Bounds.key(((Number) value).doubleValue());
    } else if (value instanceof Decimal decimal) {
      return literal.dataType() instanceof DecimalType type
              && type.precision() <= SparkTypes.MAX_DIGITS
              && type.scale() == decimal.scale()
          ? decimal.toUnscaledLong()
          : null;
    } else if (value instanceof Number number) {
      return number.longValue();
    }
    return value instanceof UTF8String ? value : null;
  }
}
