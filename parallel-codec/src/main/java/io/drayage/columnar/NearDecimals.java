package io.drayage.columnar;

/**
 * Doubles that are almost decimals: sums, differences and products of decimals, whose last bits are
 * rounding errors. Each is an integer, as in {@link AlpDoubles}, and a residue: how many doubles
 * lie between it and the decimal, which is a few for most. There are no exceptions: with wrapping
 * arithmetic some residue leads to any 64 bits. Where the value is beyond the limit of the
 * integers, or NaN, the integer is 0: no arithmetic on NaN is relied on. All functions are pure.
 */
public final class NearDecimals {
  private static final double MAGIC = AlpDoubles.MAGIC;
  private static final long MAGIC_BITS = AlpDoubles.MAGIC_BITS;

  private static final long LIMIT = AlpDoubles.LIMIT;
  private static final int LIMIT_BITS = AlpDoubles.LIMIT_BITS;

  /** The largest power that is looked at; a double has 15 to 17 digits. */
  private static final int MAX_POWER = 15;

  /** Of each run, what the first look at all pairs takes. */
  private static final int FIRST_LOOK_VALUES = 32;

  /** What a residue takes beyond the others' width. */
  private static final int PATCH_BITS = Short.SIZE + Long.SIZE;

  /** What decimals with residues must take to pay: their decoding takes twice the time. */
  private static final int WORTHWHILE_BITS = 48;

  private NearDecimals() {}

  /**
   * The best pair for a sample.
   *
   * @param sample runs of {@value DecimalSample#RUN_VALUES} values that stood side by side
   * @return the pair, for {@link AlpDoubles#isValid}; -1 if almost-decimals do not pay
   */
  public static int choose(double[] sample, int count) {
    int best = -1;
    long leastBits = Long.MAX_VALUE;
    for (int power = 0; power <= MAX_POWER; power++) {
      int pair = DecimalForm.QUOTIENT.pair(power);
      long bits = estimateBits(sample, count, pair, FIRST_LOOK_VALUES);
      if (bits < leastBits) {
        leastBits = bits;
        best = pair;
      }
    }
    boolean pays = best >= 0 && estimateBits(sample, count, best) < (long) WORTHWHILE_BITS * count;
    return pays ? best : -1;
  }

  /** What a sample takes with a pair, in bits: the integers packed by run, the residues patched. */
  public static long estimateBits(double[] sample, int count, int pair) {
    return estimateBits(sample, count, pair, DecimalSample.RUN_VALUES);
  }

  private static long estimateBits(double[] sample, int count, int pair, int valuesOfRun) {
    double operand = DecimalForm.operand(pair);
    int[] residuesOfWidth = new int[Long.SIZE + 1];
    long bits = 0;
    int looked = 0;
    for (int run = 0; run < count; run += DecimalSample.RUN_VALUES) {
      int end = Math.min(count, run + valuesOfRun);
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      for (int i = run; i < end; i++) {
        long integer = integer(sample[i], operand);
        long residue = residue(sample[i], integer / operand);
        residuesOfWidth[width((residue << 1) ^ (residue >> (Long.SIZE - 1)))]++;
        least = Math.min(least, integer);
        most = Math.max(most, integer);
      }
      bits += (long) width(most - least) * (end - run);
      looked += end - run;
    }
    return bits + patchedBits(residuesOfWidth, looked);
  }

  /** The least that residues take: some width for all, and patches for those above. */
  private static long patchedBits(int[] residuesOfWidth, int count) {
    long least = Long.MAX_VALUE;
    int above = 0;
    for (int width = Long.SIZE; width >= 0; width--) {
      least = Math.min(least, (long) width * count + (long) above * PATCH_BITS);
      above += residuesOfWidth[width];
    }
    return least;
  }

  private static int width(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }

  private static long integer(double value, double operand) {
    long rounded = Double.doubleToRawLongBits(value * operand + MAGIC) - MAGIC_BITS;
    return (rounded + LIMIT) >>> LIMIT_BITS == 0 ? rounded : 0;
  }

  private static long residue(double value, double decimal) {
    return Double.doubleToRawLongBits(value) - Double.doubleToRawLongBits(decimal);
  }

  /**
   * The integers and residues of some values, whose bits are in a window.
   *
   * @param pair a quotient
   * @param integers gets theirs from {@code at} on; so does {@code residues}
   */
  public static void encode(
      long[] bits, int count, int pair, long[] integers, long[] residues, int at) {
    double operand = DecimalForm.operand(pair);
    for (int i = 0; i < count; i++) {
      double value = Double.longBitsToDouble(bits[i]);
      long rounded = Double.doubleToRawLongBits(value * operand + MAGIC) - MAGIC_BITS;
      long integer = (rounded + LIMIT) >>> LIMIT_BITS == 0 ? rounded : 0;
      double decimal = (Double.longBitsToDouble(integer + MAGIC_BITS) - MAGIC) / operand;
      integers[at + i] = integer;
      residues[at + i] = bits[i] - Double.doubleToRawLongBits(decimal);
    }
  }

  /** The bits of values, into a window, from their integers and residues, which may be any. */
  public static void decode(
      long[] integers, long[] residues, int at, int count, int pair, long[] bits) {
    double operand = DecimalForm.operand(pair);
    for (int i = 0; i < count; i++) {
      double decimal = (Double.longBitsToDouble(integers[at + i] + MAGIC_BITS) - MAGIC) / operand;
      bits[i] = Double.doubleToRawLongBits(decimal) + residues[at + i];
    }
  }

  /** Whether a pair that came off a wire is one of these. */
  public static boolean isValid(int pair) {
    return DecimalForm.isValid(pair) && DecimalForm.of(pair) == DecimalForm.QUOTIENT;
  }
}
