package io.drayage.bench.columns;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A logarithmic axis; what lies outside is drawn at its end.
 *
 * @param low the value at its beginning
 * @param high the value at its end
 * @param from where it begins on the picture
 * @param to where it ends
 */
record Scale(double low, double high, double from, double to) {
  /** Fewer columns' dots lie outside than each of these shares. */
  private static final double OUTSIDE = 0.02;

  private static final double ROOM = 1.1;
  private static final double[] STEPS = {1, 2, 5};

  /** One for a figure of some rows. */
  static Scale of(
      List<ColumnRow> rows, ToDoubleFunction<ColumnRow> figure, double from, double to) {
    double[] sorted = rows.stream().mapToDouble(figure).sorted().toArray();
    int cut = (int) (sorted.length * OUTSIDE);
    return new Scale(sorted[cut] / ROOM, sorted[sorted.length - 1 - cut] * ROOM, from, to);
  }

  /** Where a value lies. */
  double at(double value) {
    double share = Math.log(value / low) / Math.log(high / low);
    return from + Math.max(0, Math.min(1, share)) * (to - from);
  }

  /** Round values on it. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    for (double power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10) {
      for (double step : STEPS) {
        double tick = power * step;
        if (tick >= low && tick <= high) {
          ticks.add(tick);
        }
      }
    }
    return ticks;
  }
}
