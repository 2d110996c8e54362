package io.drayage.columnar.decimal;

import io.drayage.columnar.kernel.FloatBits;

/**
 * Doubles that are decimals, as integers and exceptions: see {@link DecimalForm} for the formulas.
 * Floats are widened: their pairs are those of {@link DecimalForm#FLOAT_QUOTIENT}, and their
 * integers have 32 bits.
 *
 * <p>The encoder computes the integer of every value, right or wrong, and notes the values that it
 * does not give back in all 64 bits, or that are beyond the limit. So NaN with any payload,
 * infinities, -0.0 and non-decimals need no case of their own. All functions are pure. Each loop is
 * a method of its own, so that its operands are invariant.
 */
final class AlpDoubles {
  /**
   * Adding this rounds to a whole number, ties to even. The number is the sum's bits minus {@link
   * #MAGIC_BITS}. The reverse needs no conversion instruction either. Without that instruction, and
   * with the loop in two, decoding went from 2.2 to 12 GB/s on JDK 17. The likely reason, not
   * proven, is that the x86 instruction depends on the former contents of its register.
   */
  private static final double MAGIC = 0x1.8p52;

  private static final long MAGIC_BITS = Double.doubleToRawLongBits(MAGIC);

  /** {@link #MAGIC} of floats, for integers from -{@link #FLOAT_LIMIT} to below that limit. */
  private static final float FLOAT_MAGIC = 0x1.8p23f;

  private static final int FLOAT_MAGIC_BITS = Float.floatToRawIntBits(FLOAT_MAGIC);
  private static final int FLOAT_LIMIT = 1 << 22;

  /** The bits of an integer, sign included: the limit of {@link #MAGIC}. */
  private static final int INTEGER_BITS = 52;

  /** Number of values of each run in the first measurement of all pairs. */
  private static final int FIRST_LOOK_VALUES = 4;

  /** Number of pairs that are measured on the whole sample. */
  private static final int FINALISTS = 4;

  private AlpDoubles() {}

  /** Whether a pair from a peer is valid. */
  static boolean isValid(int pair, boolean ofFloats) {
    return DecimalForm.isValid(pair)
        && (!ofFloats || DecimalForm.of(pair) == DecimalForm.FLOAT_QUOTIENT);
  }

  private static int integerBits(boolean ofFloats) {
    return ofFloats ? Integer.SIZE : INTEGER_BITS;
  }

  /**
   * Returns the best pair for a sample.
   *
   * @param sample runs of {@value DecimalSample#RUN_VALUES} neighbouring values
   * @param ofFloats whether the values are widened floats
   * @return the pair; -1 if decimals do not pay, because more than one value in seven would be an
   *     exception
   */
  static int choose(double[] sample, int count, boolean ofFloats) {
    long[] costs = new long[FINALISTS];
    int[] pairs = new int[FINALISTS];
    int finalists = 0;
    for (DecimalForm form : DecimalForm.values()) {
      if (ofFloats && form != DecimalForm.FLOAT_QUOTIENT) {
        continue;
      }
      for (int power = 0; power <= form.maxPower(); power++) {
        int pair = form.pair(power);
        long bits =
            measure(sample, count, pair, FIRST_LOOK_VALUES, ofFloats, Long.MAX_VALUE).totalBits();
        finalists = enter(pairs, costs, finalists, pair, bits);
      }
    }
    return bestOf(sample, count, pairs, finalists, ofFloats);
  }

  /** Keeps the cheapest pairs in order; of equally cheap pairs, the first. */
  private static int enter(int[] pairs, long[] costs, int entered, int pair, long cost) {
    int place = entered;
    while (place > 0 && costs[place - 1] > cost) {
      if (place < pairs.length) {
        costs[place] = costs[place - 1];
        pairs[place] = pairs[place - 1];
      }
      place--;
    }
    if (place < pairs.length) {
      costs[place] = cost;
      pairs[place] = pair;
    }
    return Math.min(entered + 1, pairs.length);
  }

  private static int bestOf(
      double[] sample, int count, int[] pairs, int finalists, boolean ofFloats) {
    int best = -1;
    long leastBits = Long.MAX_VALUE;
    for (int f = 0; f < finalists; f++) {
      DecimalSample measured =
          measure(sample, count, pairs[f], DecimalSample.RUN_VALUES, ofFloats, leastBits);
      if (measured.isWorthwhile() && measured.totalBits() < leastBits) {
        leastBits = measured.totalBits();
        best = pairs[f];
      }
    }
    return best;
  }

  /** Measures a pair, until it needs more than so many bits. */
  private static DecimalSample measure(
      double[] sample, int count, int pair, int valuesOfRun, boolean ofFloats, long most) {
    // An exception needs its position and its bits.
    DecimalSample measured = new DecimalSample(Short.SIZE + (ofFloats ? Float.SIZE : Double.SIZE));
    int integerBits = integerBits(ofFloats);
    double operand = DecimalForm.operand(pair);
    for (int run = 0;
        run < count && measured.totalBits() <= most;
        run += DecimalSample.RUN_VALUES) {
      int end = Math.min(count, run + valuesOfRun);
      for (int i = run; i < end; i++) {
        long integer = integer(sample[i], operand);
        if (isExact(sample[i], value(integer, pair)) && excess(integer, integerBits) == 0) {
          measured.addInteger(integer);
        } else {
          measured.addException();
        }
      }
      measured.endRun();
    }
    return measured;
  }

  private static long integer(double value, double operand) {
    return Double.doubleToRawLongBits(value * operand + MAGIC) - MAGIC_BITS;
  }

  private static double value(long integer, int pair) {
    double operand = DecimalForm.operand(pair);
    double value = (Double.longBitsToDouble(integer + MAGIC_BITS) - MAGIC) / operand;
    return DecimalForm.of(pair) == DecimalForm.FLOAT_QUOTIENT ? (float) value : value;
  }

  /** Returns 0 if an integer has no more than so many bits. */
  private static long excess(long integer, int bits) {
    return (integer + (1L << (bits - 1))) >>> bits;
  }

  private static boolean isExact(double value, double back) {
    return Double.doubleToRawLongBits(back) == Double.doubleToRawLongBits(value);
  }

  /**
   * Encodes values as integers.
   *
   * @param pair a valid one
   * @param ofFloats whether the values are widened floats
   * @param integers receives the integers; for an exception, an integer that fits its neighbours
   * @param exceptionAt receives the ascending positions of the exceptions; at least {@code count}
   *     elements; the elements after the last exception mean nothing
   * @return number of exceptions
   */
  static int encode(
      double[] values, int count, int pair, boolean ofFloats, long[] integers, int[] exceptionAt) {
    double operand = DecimalForm.operand(pair);
    int exceptions =
        DecimalForm.of(pair) == DecimalForm.QUOTIENT
            ? divide(values, count, operand, integers, exceptionAt)
            : divideAndRound(values, count, operand, integerBits(ofFloats), integers, exceptionAt);
    cover(integers, count, exceptionAt, exceptions);
    return exceptions;
  }

  private static int divide(
      double[] values, int count, double operand, long[] integers, int[] exceptionAt) {
    int exceptions = 0;
    for (int i = 0; i < count; i++) {
      double value = values[i];
      double shifted = value * operand + MAGIC;
      double back = (shifted - MAGIC) / operand;
      long integer = Double.doubleToRawLongBits(shifted) - MAGIC_BITS;
      long wrong = Double.doubleToRawLongBits(back) ^ Double.doubleToRawLongBits(value);
      integers[i] = integer;
      exceptionAt[exceptions] = i;
      exceptions += (wrong | excess(integer, INTEGER_BITS)) == 0 ? 0 : 1;
    }
    return exceptions;
  }

  private static int divideAndRound(
      double[] values,
      int count,
      double operand,
      int integerBits,
      long[] integers,
      int[] exceptionAt) {
    int exceptions = 0;
    for (int i = 0; i < count; i++) {
      double value = values[i];
      double shifted = value * operand + MAGIC;
      double back = (float) ((shifted - MAGIC) / operand);
      long integer = Double.doubleToRawLongBits(shifted) - MAGIC_BITS;
      long wrong = Double.doubleToRawLongBits(back) ^ Double.doubleToRawLongBits(value);
      integers[i] = integer;
      exceptionAt[exceptions] = i;
      exceptions += (wrong | excess(integer, integerBits)) == 0 ? 0 : 1;
    }
    return exceptions;
  }

  /** Replaces each exception's integer by the one before it, or by the first valid one. */
  private static void cover(long[] integers, int count, int[] exceptionAt, int exceptions) {
    int firstRight = 0;
    while (firstRight < exceptions && exceptionAt[firstRight] == firstRight) {
      firstRight++;
    }
    long first = firstRight < count ? integers[firstRight] : 0;
    for (int e = 0; e < exceptions; e++) {
      int at = exceptionAt[e];
      integers[at] = at < firstRight ? first : integers[at - 1];
    }
  }

  /**
   * Returns the values of integers. Any integer is allowed: beyond the limit it gives some value.
   *
   * @param pair a valid one
   */
  static void decode(long[] integers, int count, int pair, double[] target) {
    for (int i = 0; i < count; i++) {
      target[i] = Double.longBitsToDouble(integers[i] + MAGIC_BITS);
    }
    divide(target, count, DecimalForm.operand(pair));
    if (DecimalForm.of(pair) == DecimalForm.FLOAT_QUOTIENT) {
      round(target, count);
    }
  }

  /**
   * Decodes floats: a quotient of doubles, rounded to a float. If the integer and the power of ten
   * are floats, the quotient of floats is the same number, because rounding to a double first
   * changes nothing: doubles have more than twice the bits of floats, and two more (Figueroa, "When
   * is double rounding innocuous?", SIGNUM Newsletter 30, 1995).
   *
   * @param pair a valid one, of floats
   * @param scratch space for as many values
   * @param bits space for as many values
   */
  static void decode(
      int[] integers,
      int count,
      int pair,
      double[] scratch,
      int[] bits,
      FloatBits floats,
      float[] target) {
    if (areSmall(integers, count)) {
      add(integers, count, FLOAT_MAGIC_BITS, bits);
      floats.toFloats(bits, count, target);
      divide(target, count, (float) DecimalForm.operand(pair));
      return;
    }
    widen(integers, count, scratch);
    divide(scratch, count, DecimalForm.operand(pair));
    for (int i = 0; i < count; i++) {
      target[i] = (float) scratch[i];
    }
  }

  /** Whether all integers are within the limit of {@link #FLOAT_MAGIC}. */
  private static boolean areSmall(int[] integers, int count) {
    int beyond = 0;
    for (int i = 0; i < count; i++) {
      beyond |= (integers[i] + FLOAT_LIMIT) & -2 * FLOAT_LIMIT;
    }
    return beyond == 0;
  }

  private static void add(int[] integers, int count, int summand, int[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = integers[i] + summand;
    }
  }

  private static void divide(float[] target, int count, float operand) {
    for (int i = 0; i < count; i++) {
      target[i] = (target[i] - FLOAT_MAGIC) / operand;
    }
  }

  private static void widen(int[] integers, int count, double[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = Double.longBitsToDouble(integers[i] + MAGIC_BITS);
    }
  }

  private static void divide(double[] target, int count, double operand) {
    for (int i = 0; i < count; i++) {
      target[i] = (target[i] - MAGIC) / operand;
    }
  }

  private static void round(double[] target, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (float) target[i];
    }
  }
}
