package io.drayage.bench.statistics;

import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import org.apache.commons.statistics.descriptive.Median;
import org.jspecify.annotations.Nullable;

/** Medians of measurements. The median of an even number is the mean of the two in the middle. */
public final class Medians {
  private static final Median MEDIAN = Median.withDefaults().withCopy(true);

  private Medians() {}

  /** The median of {@code values}; null if there are none. */
  public static @Nullable Double of(Collection<? extends Number> values) {
    return values.isEmpty() ? null : (Double) of(array(values));
  }

  /** Returns the median of one figure, without measurements that lack the figure; null if none. */
  public static <T> @Nullable Double of(
      Collection<T> measurements, Function<T, ? extends @Nullable Number> figure) {
    return of(measurements.stream().map(figure).filter(Objects::nonNull).toList());
  }

  /** The median of at least one value. */
  public static double of(double[] values) {
    return MEDIAN.evaluate(values);
  }

  static double[] array(Collection<? extends Number> values) {
    return values.stream().mapToDouble(Number::doubleValue).toArray();
  }
}
