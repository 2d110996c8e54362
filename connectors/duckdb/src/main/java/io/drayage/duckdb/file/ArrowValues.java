package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Counted;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.complex.BaseListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Values of Arrow that DuckDB would change without an error: it counts days in 32 bits, and
 * intervals in microseconds. Values within others and in dictionaries count as well, because a cast
 * to a text reads them.
 */
final class ArrowValues {
  private static final long MILLIS_OF_DAY = 86_400_000;
  private static final long NANOS_OF_MICRO = 1_000;
  private static final int DECIMAL_BITS = 128;

  private ArrowValues() {}

  /** Returns a field and the fields within it; in place of a dictionary's index, its values. */
  static Stream<Field> parts(Field field, DictionaryProvider dictionaries) {
    Field values = field.getDictionary() == null ? field : vector(field, dictionaries).getField();
    List<Field> within = values.getChildren();
    return Stream.concat(
        Stream.of(values), within.stream().flatMap(part -> parts(part, dictionaries)));
  }

  private static FieldVector vector(Field field, DictionaryProvider dictionaries) {
    return Objects.requireNonNull(dictionaries.lookup(field.getDictionary().getId())).getVector();
  }

  /**
   * Returns what to write in place of a type that cannot be read.
   *
   * @return an empty text if it can be read
   */
  static String insteadOf(ArrowType type) {
    if (type instanceof ArrowType.FloatingPoint real) {
      return real.getPrecision() == FloatingPointPrecision.HALF ? "floats of 32 bits" : "";
    } else if (type instanceof ArrowType.Decimal decimal) {
      return decimal.getBitWidth() > DECIMAL_BITS || decimal.getScale() < 0
          ? "decimals of 128 bits with no negative scale"
          : "";
    } else if (type instanceof ArrowType.Interval interval) {
      return interval.getUnit() == IntervalUnit.DAY_TIME ? "integers" : "";
    }
    return type instanceof ArrowType.ListView
            || type instanceof ArrowType.LargeListView
            || (type instanceof ArrowType.Union union && union.getMode() == UnionMode.Dense)
        ? "a column for each value"
        : "";
  }

  /** Whether DuckDB may change values of a type. */
  static boolean mayChange(ArrowType type) {
    return (type instanceof ArrowType.Date date && date.getUnit() == DateUnit.MILLISECOND)
        || (type instanceof ArrowType.Duration duration
            && duration.getUnit() == TimeUnit.NANOSECOND)
        || (type instanceof ArrowType.Interval interval
            && interval.getUnit() == IntervalUnit.MONTH_DAY_NANO);
  }

  /** Returns the reason why DuckDB would change a value; an empty text if it would not. */
  static String misfit(FieldVector vector, int at, DictionaryProvider dictionaries) {
    if (vector.isNull(at)) {
      return "";
    }
    if (vector.getField().getDictionary() != null && vector instanceof BaseIntVector indices) {
      int index = (int) indices.getValueAsLong(at);
      return misfit(vector(vector.getField(), dictionaries), index, dictionaries);
    } else if (vector instanceof DateMilliVector dates) {
      return date(dates.get(at));
    } else if (vector instanceof DurationVector && mayChange(vector.getField().getType())) {
      return nanos(DurationVector.get(vector.getDataBuffer(), at));
    } else if (vector instanceof IntervalMonthDayNanoVector) {
      return nanos(IntervalMonthDayNanoVector.getNanoseconds(vector.getDataBuffer(), at));
    }
    boolean isList = vector instanceof BaseListVector;
    int from = vector instanceof BaseListVector list ? list.getElementStartIndex(at) : at;
    int to = vector instanceof BaseListVector list ? list.getElementEndIndex(at) : at + 1;
    for (FieldVector part :
        isList || vector instanceof StructVector
            ? vector.getChildrenFromFields()
            : List.<FieldVector>of()) {
      for (int i = from; i < to; i++) {
        String misfit = misfit(part, i, dictionaries);
        if (!misfit.isEmpty()) {
          return misfit;
        }
      }
    }
    return "";
  }

  private static String date(long millis) {
    if (millis % MILLIS_OF_DAY != 0) {
      return format("%,d ms is no whole number of days: write the column as a timestamp", millis);
    }
    long days = millis / MILLIS_OF_DAY;
    return Math.abs(days) > Integer.MAX_VALUE
        ? format(
            "%,d ms is day %,d: a DATE has days from %,d to %,d",
            millis, days, -Integer.MAX_VALUE, Integer.MAX_VALUE)
        : "";
  }

  private static String nanos(long nanos) {
    return nanos % NANOS_OF_MICRO == 0
        ? ""
        : format(
            "the interval of %s is no whole number of microseconds: write the column with those",
            Counted.of(nanos, "nanosecond"));
  }
}
