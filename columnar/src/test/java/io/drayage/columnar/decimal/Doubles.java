package io.drayage.columnar.decimal;

import java.util.Random;

/** Ordinary and difficult doubles of columns. */
public enum Doubles {
  /** Money: two decimals, parsed or divided. */
  PRICES,
  /** A measured value that drifts, one decimal. */
  SENSOR,
  PERCENTAGES,
  COUNTER,
  /** Floats that a program widened. */
  WIDENED,
  LONG_DECIMALS,
  /** Money after a discount: nearly decimals. */
  DISCOUNTED,
  UNIFORM,
  /** Values below and above 0, equally many. */
  NORMAL,
  /** Measured values that nobody rounded. */
  REAL_SENSOR,
  ANY_BITS,
  SPECIAL,
  PRICES_WITH_MISTAKES;

  public double[] make(int count, long seed) {
    Random random = new Random(seed);
    double[] made = new double[count];
    for (int i = 0; i < count; i++) {
      made[i] = next(i, random);
    }
    return made;
  }

  private double next(int i, Random random) {
    return switch (this) {
      case PRICES -> random.nextInt(1_000_000) / 100.0;
      case SENSOR -> Math.rint(200 + i * 0.01 + random.nextInt(21) - 10) / 10;
      case PERCENTAGES -> random.nextInt(10_001) / 10_000.0;
      case COUNTER -> 1e9 + i;
      case WIDENED -> (float) (random.nextInt(5_000) / 100.0);
      case LONG_DECIMALS -> random.nextLong() % 1_000_000_000_000_000L / 1e6;
      case DISCOUNTED -> random.nextInt(100_000) / 100.0 * (1 - random.nextInt(11) / 100.0);
      case NORMAL -> random.nextGaussian();
      case UNIFORM -> random.nextDouble();
      case REAL_SENSOR -> 20 + Math.sin(i * 0.0001) * 4 + random.nextGaussian() * 0.1;
      case ANY_BITS -> Double.longBitsToDouble(random.nextLong());
      case SPECIAL -> special(random.nextInt(10));
      case PRICES_WITH_MISTAKES ->
          random.nextInt(20) == 0 ? special(random.nextInt(10)) : i / 100.0;
    };
  }

  private static double special(int which) {
    return switch (which) {
      case 0 -> Double.NaN;
      case 1 -> Double.longBitsToDouble(0x7FF0_0000_0000_0001L);
      case 2 -> Double.longBitsToDouble(0xFFF8_DEAD_BEEF_0001L);
      case 3 -> Double.POSITIVE_INFINITY;
      case 4 -> Double.NEGATIVE_INFINITY;
      case 5 -> -0.0;
      case 6 -> Double.MIN_VALUE;
      case 7 -> -Double.MAX_VALUE;
      case 8 -> 0x1p51;
      default -> -0x1p53;
    };
  }
}
