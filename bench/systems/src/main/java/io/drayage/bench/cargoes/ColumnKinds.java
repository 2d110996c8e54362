package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnType;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Kinds of columns as in databases, each made by its own small process. One kind at a time shows
 * the strengths and weaknesses of codecs better than a plan or an order book.
 */
final class ColumnKinds {
  /** Columns that can be compressed: measurements, prices, codes, times and row numbers. */
  static final List<ColumnKind> USUAL =
      List.of(
          real("sensor_1_decimal", r -> rounded(walk(r, 20, 0.15), 10)),
          real("sensor_4_decimals", r -> rounded(walk(r, 20, 0.01), 10_000)),
          real("sensor_unrounded", r -> walk(r, 20, 0.15)),
          real("price_cents", r -> rounded(() -> 1 + 500 * square(r.nextDouble()), 100)),
          real("price_ticks", r -> rounded(walk(r, 4_000, 0.25), 4)),
          real("widened_floats", r -> floats(walk(r, 100, 1))),
          real("mostly_zero", r -> () -> r.nextInt(20) == 0 ? r.nextInt(10_000) / 100.0 : 0),
          new ColumnKind("mostly_null", ColumnType.DOUBLE, true, r -> bits(() -> r.nextInt(900))),
          new ColumnKind(
              "sensor_float", ColumnType.FLOAT, false, r -> bits(rounded(walk(r, 20, 0.15), 10))),
          new ColumnKind("skewed_5_bytes", ColumnType.BYTE, false, r -> skewed(r, 5)),
          new ColumnKind("skewed_100_shorts", ColumnType.SHORT, false, r -> skewed(r, 100)),
          new ColumnKind("skewed_500_ints", ColumnType.INT, false, r -> skewed(r, 500)),
          new ColumnKind("skewed_30_longs", ColumnType.LONG, false, r -> spread(skewed(r, 30))),
          new ColumnKind("skewed_50_texts", ColumnType.STRING, false, r -> skewed(r, 50)),
          new ColumnKind("time_ms", ColumnType.LONG, false, r -> times(r, 1_000, 20)),
          new ColumnKind("time_us", ColumnType.LONG, false, r -> times(r, 100_000, 3_000)),
          new ColumnKind("ids_with_gaps", ColumnType.LONG, false, ColumnKinds::idsWithGaps),
          new ColumnKind("ids_nearly_sorted", ColumnType.LONG, false, ColumnKinds::nearlySorted),
          new ColumnKind("runs", ColumnType.INT, false, r -> runs(r, 40, 300)),
          new ColumnKind("counter_with_resets", ColumnType.LONG, false, ColumnKinds::counter),
          new ColumnKind("cycle", ColumnType.INT, false, ColumnKinds::cycle));

  /** Columns that no codec makes smaller. */
  static final List<ColumnKind> RANDOM =
      List.of(
          real("doubles", r -> () -> Double.longBitsToDouble(r.nextLong())),
          new ColumnKind("longs", ColumnType.LONG, false, r -> r::nextLong),
          new ColumnKind("ints", ColumnType.INT, false, r -> r::nextLong),
          new ColumnKind("shorts", ColumnType.SHORT, false, r -> r::nextLong),
          new ColumnKind("bytes", ColumnType.BYTE, false, r -> r::nextLong),
          new ColumnKind("floats", ColumnType.FLOAT, false, r -> bits(() -> r.nextInt() * 1e-3)));

  private ColumnKinds() {}

  /**
   * A kind of column.
   *
   * @param values makes the values one after the other, from a generator of its own: floats and
   *     doubles as the bits of a double, texts as numbers
   */
  record ColumnKind(
      String name,
      ColumnType type,
      boolean nullable,
      Function<SplittableRandom, LongSupplier> values) {}

  private static ColumnKind real(String name, Function<SplittableRandom, DoubleSupplier> values) {
    return new ColumnKind(name, ColumnType.DOUBLE, false, random -> bits(values.apply(random)));
  }

  private static LongSupplier bits(DoubleSupplier values) {
    return () -> Double.doubleToRawLongBits(values.getAsDouble());
  }

  private static double square(double value) {
    return value * value;
  }

  /** Returns a value that drifts, and comes back to its start. */
  private static DoubleSupplier walk(SplittableRandom random, double around, double step) {
    double[] value = {around};
    return () -> value[0] += step * (random.nextDouble() * 2 - 1) + (around - value[0]) * 1e-4;
  }

  private static DoubleSupplier rounded(DoubleSupplier values, double unit) {
    return () -> Math.round(values.getAsDouble() * unit) / unit;
  }

  private static DoubleSupplier floats(DoubleSupplier values) {
    return () -> (float) values.getAsDouble();
  }

  /** Returns numbers below {@code count}; the n-th is about 1/n times as frequent as the first. */
  private static LongSupplier skewed(SplittableRandom random, int count) {
    double log = StrictMath.log(count + 1.0);
    return () -> (long) StrictMath.exp(random.nextDouble() * log) - 1;
  }

  private static LongSupplier spread(LongSupplier values) {
    return () -> (values.getAsLong() * 0x9E3779B97F4A7C15L) >>> 20;
  }

  private static LongSupplier times(SplittableRandom random, int interval, int jitter) {
    long[] time = {1_700_000_000L * interval};
    return () -> (time[0] += interval) + random.nextInt(jitter);
  }

  private static LongSupplier idsWithGaps(SplittableRandom random) {
    long[] id = {5_000_000_000L};
    return () -> id[0] += 1 + (random.nextInt(4) == 0 ? random.nextInt(60) : 0);
  }

  private static LongSupplier nearlySorted(SplittableRandom random) {
    long[] id = {5_000_000_000L};
    return () -> (id[0] += 3) - (random.nextInt(10) == 0 ? random.nextInt(2_000) : 0);
  }

  private static LongSupplier runs(SplittableRandom random, int length, int values) {
    long[] value = {0};
    return () -> value[0] = random.nextInt(length) == 0 ? random.nextInt(values) : value[0];
  }

  private static LongSupplier counter(SplittableRandom random) {
    long[] value = {0};
    return () -> value[0] = random.nextInt(5_000) == 0 ? 0 : value[0] + random.nextInt(900);
  }

  /** Returns the same degrees again and again. */
  private static LongSupplier cycle(SplittableRandom random) {
    int[] of = random.ints(700, 0, 360).toArray();
    int[] next = {0};
    return () -> of[next[0]++ % of.length];
  }
}
