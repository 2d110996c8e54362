package io.drayage.columnar;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Values like those of columns. The same count and width give the same values. */
enum Shape {
  NOISE,
  SMALL_ABOVE_LARGE,
  FEW_OUTLIERS,
  ASCENDING,
  ASCENDING_WITH_JUMPS,
  DESCENDING,
  LINEAR,
  ALMOST_LINEAR,
  QUADRATIC,
  SAWTOOTH,
  MULTIPLES,
  SHORT_RUNS,
  LONG_RUNS,
  FEW_VALUES,
  SKEWED_VALUES,
  EXTREMES;

  /** Values of about {@code width} bits, 0 to 64. */
  long[] longs(int count, int width) {
    SplittableRandom random = new SplittableRandom(31L * count + width);
    long mask = width == 64 ? -1L : (1L << width) - 1;
    long base = random.nextLong();
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      long before = i == 0 ? base : values[i - 1];
      long small = random.nextLong() & mask;
      values[i] =
          switch (this) {
            case NOISE -> small;
            case SMALL_ABOVE_LARGE -> base + small;
            case FEW_OUTLIERS -> random.nextInt(40) == 0 ? random.nextLong() : base + small;
            case ASCENDING -> before + (small >>> 1);
            case ASCENDING_WITH_JUMPS -> before + (random.nextInt(50) == 0 ? small : 1);
            case DESCENDING -> before - (small >>> 1);
            case LINEAR -> base + i * mask;
            case ALMOST_LINEAR -> base + i * mask + (random.nextInt(100) == 0 ? 1 : 0);
            case QUADRATIC -> base + (long) i * i * (mask >>> 16);
            case SAWTOOTH -> i % 52;
            case MULTIPLES -> base + 1_000 * (small >>> 12);
            case SHORT_RUNS -> random.nextInt(3) == 0 ? small : before;
            case LONG_RUNS -> random.nextInt(200) == 0 ? small : before;
            case FEW_VALUES -> (random.nextInt(9) * 0x9E3779B97F4A7C15L) & mask;
            case SKEWED_VALUES ->
                (Long.numberOfTrailingZeros(random.nextLong()) * 0x9E3779B97F4A7C15L) & mask;
            case EXTREMES -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE - small;
          };
    }
    return values;
  }

  int[] ints(int count, int width) {
    return Arrays.stream(longs(count, width)).mapToInt(value -> (int) value).toArray();
  }
}
