package io.drayage.columnar;

/**
 * How a floating-point value is computed from an integer {@code n} and a power {@code k}, which
 * together are a <em>pair</em>: {@code form << 8 | k}, as it is written to a wire. The numbers of
 * the forms are frozen.
 *
 * <p>After ALP (Afroozeh, Kuffo, Boncz, "ALP: Adaptive Lossless floating-Point Compression", SIGMOD
 * 2023), with one difference. ALP multiplies by an inexact 10^-e, and needs a second power to hide
 * the error. A division of two integers that are exact as doubles is rounded once, to the double
 * nearest to the decimal: the very value that a parser or {@code cents / 100.0} makes. So one power
 * is enough, and a decimal of up to 15 digits is never an exception.
 */
enum DecimalForm {
  /** {@code n / 10^k}: decimals that were parsed or divided. */
  QUOTIENT(0, 0, 18),
  /** {@code n * 10^-k}: decimals that were multiplied by 0.1, 0.01, ... */
  PRODUCT(1, 1, 18),
  /** {@code n * 10^k}: whole numbers that end in zeros. */
  MULTIPLE(2, 1, 18),
  /** {@code (float) (n / 10^k)}: decimals that are floats, or were. */
  FLOAT_QUOTIENT(3, 0, 10);

  private static final DecimalForm[] BY_ID = values();
  private static final int POWER_BITS = 8;
  private static final int POWER_MASK = (1 << POWER_BITS) - 1;

  /** Literals, not computed: {@code Math.pow} may differ from machine to machine. */
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18
  };

  private static final double[] INVERSES = {
    1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14,
    1e-15, 1e-16, 1e-17, 1e-18
  };

  private final int id;
  private final int minPower;
  private final int maxPower;

  DecimalForm(int id, int minPower, int maxPower) {
    this.id = id;
    this.minPower = minPower;
    this.maxPower = maxPower;
  }

  /** The form of a pair that {@link #isValid}. */
  static DecimalForm of(int pair) {
    return BY_ID[pair >>> POWER_BITS];
  }

  /** Whether a pair from a peer is one: then every loop may run with it. */
  static boolean isValid(int pair) {
    int form = pair >>> POWER_BITS;
    int power = pair & POWER_MASK;
    return form < BY_ID.length && power >= BY_ID[form].minPower && power <= BY_ID[form].maxPower;
  }

  /** The pair of this form and a power. */
  int pair(int power) {
    return id << POWER_BITS | power;
  }

  int minPower() {
    return minPower;
  }

  int maxPower() {
    return maxPower;
  }

  /** Whether integers are divided by the {@link #operand}, else multiplied. */
  boolean divides() {
    return this == QUOTIENT || this == FLOAT_QUOTIENT;
  }

  /** What turns integers into values. */
  static double operand(int pair) {
    return (of(pair) == PRODUCT ? INVERSES : POWERS)[pair & POWER_MASK];
  }

  /** What turns values into integers, when they are multiplied by it and rounded. */
  static double scale(int pair) {
    return (of(pair) == MULTIPLE ? INVERSES : POWERS)[pair & POWER_MASK];
  }
}
