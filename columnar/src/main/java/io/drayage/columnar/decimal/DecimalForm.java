package io.drayage.columnar.decimal;

/**
 * The formulas that compute a floating-point value from an integer {@code n} and a power {@code k}.
 * A form and a power are a <em>pair</em>: {@code form << 8 | k}, as on the wire. The ids of the
 * forms are frozen.
 *
 * <p>After ALP (Afroozeh, Kuffo, Boncz, "ALP: Adaptive Lossless floating-Point Compression", SIGMOD
 * 2023), with one difference. ALP multiplies by an inexact 10^-e, and needs a second power to hide
 * the error. A division of two integers that are exact as doubles is rounded once, to the double
 * nearest to the decimal. A parser or {@code cents / 100.0} produces the same value. So one power
 * is enough, and a decimal of up to 15 digits is never an exception.
 */
enum DecimalForm {
  /** {@code n / 10^k}: parsed or divided decimals. */
  QUOTIENT(0, 18),
  /** {@code (float) (n / 10^k)}: decimals that are or were floats. */
  FLOAT_QUOTIENT(3, 10);

  private static final int POWER_BITS = 8;
  private static final int POWER_MASK = (1 << POWER_BITS) - 1;

  /** Literals, not computed: {@code Math.pow} may differ from machine to machine. */
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18
  };

  private final int id;
  private final int maxPower;

  DecimalForm(int id, int maxPower) {
    this.id = id;
    this.maxPower = maxPower;
  }

  /** Returns the form of a pair that {@link #isValid}. */
  static DecimalForm of(int pair) {
    return pair >>> POWER_BITS == QUOTIENT.id ? QUOTIENT : FLOAT_QUOTIENT;
  }

  /** Whether a pair from a peer is valid. Then every loop may run with it. */
  static boolean isValid(int pair) {
    DecimalForm form = of(pair);
    return pair >>> POWER_BITS == form.id && (pair & POWER_MASK) <= form.maxPower;
  }

  /** Returns the pair of this form and a power. */
  int pair(int power) {
    return id << POWER_BITS | power;
  }

  /** The largest power of this form; the smallest is 0. */
  int maxPower() {
    return maxPower;
  }

  /** Returns the power of ten by which integers are divided, and values multiplied. */
  static double operand(int pair) {
    return POWERS[pair & POWER_MASK];
  }
}
