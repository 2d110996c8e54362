package io.drayage.columnar.decimal;

/**
 * Floats that are decimals, as integers and exceptions: {@link DecimalForm#FLOAT_QUOTIENT} of
 * {@code int}s, computed in doubles and rounded once more. Otherwise as {@link AlpDoubles}.
 */
public final class AlpFloats {
  private static final double MAGIC = AlpDoubles.MAGIC;
  private static final long MAGIC_BITS = AlpDoubles.MAGIC_BITS;
  private static final int EXCEPTION_BITS = Short.SIZE + Float.SIZE;

  private AlpFloats() {}

  /** The best pair for a sample, as {@link AlpDoubles#choose}. */
  public static int choose(float[] sample, int count) {
    int best = -1;
    long leastBits = Long.MAX_VALUE;
    DecimalForm form = DecimalForm.FLOAT_QUOTIENT;
    for (int power = 0; power <= form.maxPower(); power++) {
      long bits = estimateBits(sample, count, form.pair(power));
      if (bits >= 0 && bits < leastBits) {
        leastBits = bits;
        best = form.pair(power);
      }
    }
    return best;
  }

  /** What a sample takes with a valid pair; -1 if there are too many exceptions. */
  private static long estimateBits(float[] sample, int count, int pair) {
    DecimalSample measured = new DecimalSample(EXCEPTION_BITS);
    double operand = DecimalForm.operand(pair);
    for (int run = 0; run < count; run += DecimalSample.RUN_VALUES) {
      int end = Math.min(count, run + DecimalSample.RUN_VALUES);
      for (int i = run; i < end; i++) {
        int integer = (int) (Double.doubleToRawLongBits(sample[i] * operand + MAGIC) - MAGIC_BITS);
        float back = value(integer, operand);
        if (Float.floatToRawIntBits(back) == Float.floatToRawIntBits(sample[i])) {
          measured.addInteger(integer);
        } else {
          measured.addException();
        }
      }
      measured.endRun();
    }
    return measured.isWorthwhile() ? measured.totalBits() : -1;
  }

  private static float value(int integer, double operand) {
    return (float) ((Double.longBitsToDouble(integer + MAGIC_BITS) - MAGIC) / operand);
  }

  /** Whether a pair that came off a wire is one of floats. */
  public static boolean isValid(int pair) {
    return DecimalForm.isValid(pair) && DecimalForm.of(pair) == DecimalForm.FLOAT_QUOTIENT;
  }

  /** The integers of some values, as {@link AlpDoubles#encode}. */
  public static int encode(float[] values, int count, int pair, int[] integers, int[] exceptionAt) {
    double operand = DecimalForm.operand(pair);
    int exceptions = 0;
    for (int i = 0; i < count; i++) {
      float value = values[i];
      int integer = (int) (Double.doubleToRawLongBits(value * operand + MAGIC) - MAGIC_BITS);
      float back = (float) ((Double.longBitsToDouble(integer + MAGIC_BITS) - MAGIC) / operand);
      integers[i] = integer;
      exceptionAt[exceptions] = i;
      exceptions += Float.floatToRawIntBits(back) == Float.floatToRawIntBits(value) ? 0 : 1;
    }
    cover(integers, count, exceptionAt, exceptions);
    return exceptions;
  }

  /** Puts the integer before it, or the first that is right, into the place of each exception. */
  private static void cover(int[] integers, int count, int[] exceptionAt, int exceptions) {
    int firstRight = 0;
    while (firstRight < exceptions && exceptionAt[firstRight] == firstRight) {
      firstRight++;
    }
    int first = firstRight < count ? integers[firstRight] : 0;
    for (int e = 0; e < exceptions; e++) {
      int at = exceptionAt[e];
      integers[at] = at < firstRight ? first : integers[at - 1];
    }
  }

  /** The values of some integers, as {@link AlpDoubles#decode}. */
  public static void decode(int[] integers, int count, int pair, float[] target) {
    double operand = DecimalForm.operand(pair);
    for (int i = 0; i < count; i++) {
      double whole = Double.longBitsToDouble(integers[i] + MAGIC_BITS) - MAGIC;
      target[i] = (float) (whole / operand);
    }
  }
}
