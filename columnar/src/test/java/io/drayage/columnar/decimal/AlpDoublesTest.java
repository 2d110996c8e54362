package io.drayage.columnar.decimal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.drayage.columnar.kernel.FloatBits;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlpDoublesTest {
  private static final long SEED = 20_261_121;
  private static final int[] COUNTS = {0, 1, 2, 255, 256, 257, 5_000};

  @ParameterizedTest
  @EnumSource
  void everyPairGivesBackTheSameBits(Doubles kind) {
    for (int count : COUNTS) {
      double[] values = kind.make(count, SEED);
      for (DecimalForm form : DecimalForm.values()) {
        for (int power = 0; power <= form.maxPower(); power += 5) {
          assertRoundTrip(values, count, form.pair(power));
        }
      }
    }
  }

  private static int assertRoundTrip(double[] values, int count, int pair) {
    return assertRoundTrip(values, count, pair, false);
  }

  private static int assertRoundTrip(double[] values, int count, int pair, boolean ofFloats) {
    long[] integers = new long[count];
    int[] exceptionAt = new int[count];
    int exceptions = AlpDoubles.encode(values, count, pair, ofFloats, integers, exceptionAt);
    double[] back = new double[count];
    AlpDoubles.decode(integers, count, pair, back);
    for (int e = 0; e < exceptions; e++) {
      assertThat(exceptionAt[e]).isGreaterThan(e == 0 ? -1 : exceptionAt[e - 1]).isLessThan(count);
      back[exceptionAt[e]] = values[exceptionAt[e]];
    }
    assertThat(bits(back))
        .as("pair %04x of %,d, seed %d", pair, count, SEED)
        .isEqualTo(bits(values));
    return exceptions;
  }

  private static long[] bits(double[] values) {
    return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "PRICES, QUOTIENT, 2",
    "SENSOR, QUOTIENT, 1",
    "PERCENTAGES, QUOTIENT, 4",
    "COUNTER, QUOTIENT, 0",
    "WIDENED, FLOAT_QUOTIENT, 2",
    "LONG_DECIMALS, QUOTIENT, 6",
    "PRICES_WITH_MISTAKES, QUOTIENT, 2",
    "UNIFORM,, -1",
    "ANY_BITS,, -1",
    "SPECIAL,, -1"
  })
  void findsThePairThatMadeTheValues(Doubles kind, @Nullable DecimalForm form, int power) {
    double[] sample = kind.make(4096, SEED);
    assertThat(AlpDoubles.choose(sample, sample.length, false))
        .isEqualTo(form == null ? -1 : form.pair(power));
  }

  @Test
  void hasNoExceptionAmongDecimalsOfFifteenDigits() {
    Random random = new Random(SEED);
    for (int power = 0; power <= 15; power++) {
      double[] values = new double[10_000];
      for (int i = 0; i < values.length; i++) {
        long digits = random.nextLong() % 1_000_000_000_000_000L;
        values[i] = BigDecimal.valueOf(digits, power).doubleValue();
      }
      int pair = DecimalForm.QUOTIENT.pair(power);
      assertThat(assertRoundTrip(values, values.length, pair))
          .as("power %d, seed %d", power, SEED)
          .isZero();
    }
  }

  @Test
  void coversExceptionsWithTheirNeighbours() {
    double[] values = {Double.NaN, -0.0, 1.25, Double.NaN, 1.5, Double.POSITIVE_INFINITY};
    long[] integers = new long[values.length];
    int[] exceptionAt = new int[values.length];
    int exceptions =
        AlpDoubles.encode(values, 6, DecimalForm.QUOTIENT.pair(2), false, integers, exceptionAt);
    assertThat(exceptions).isEqualTo(4);
    assertThat(integers).containsExactly(125, 125, 125, 125, 150, 150);
  }

  @Test
  void takesAnyIntegers() {
    long[] hostile = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1};
    for (int pair = 0; pair < 1 << 16; pair++) {
      if (AlpDoubles.isValid(pair, false)) {
        AlpDoubles.decode(hostile, hostile.length, pair, new double[hostile.length]);
      }
    }
  }

  /** Tests around every power of two, where arithmetic of floats could differ first. */
  @Test
  void roundsQuotientsToFloatsAsDoublesDo() {
    Random random = new Random(SEED);
    int[] integers = new int[1_024];
    for (int bits = 0; bits <= 32; bits++) {
      for (int i = 0; i < integers.length; i++) {
        int edge = bits == 32 ? Integer.MIN_VALUE : 1 << bits;
        integers[i] = i < 512 ? edge - 256 + i : random.nextInt() >> (32 - Math.max(1, bits));
      }
      integers[1_023] = 0;
      assertFloats(integers);
    }
  }

  @Tag("nightly")
  @Test
  void roundsAllQuotientsOfSmallIntegersToFloatsAsDoublesDo() {
    int[] integers = new int[1_024];
    for (int from = -(1 << 22); from < 1 << 22; from += integers.length) {
      int first = from;
      Arrays.setAll(integers, i -> first + i);
      assertFloats(integers);
    }
  }

  private static void assertFloats(int[] integers) {
    int count = integers.length;
    float[] target = new float[count];
    FloatBits floats = new FloatBits();
    for (int power = 0; power <= DecimalForm.FLOAT_QUOTIENT.maxPower(); power++) {
      int pair = DecimalForm.FLOAT_QUOTIENT.pair(power);
      double operand = DecimalForm.operand(pair);
      AlpDoubles.decode(integers, count, pair, new double[count], new int[count], floats, target);
      for (int i = 0; i < count; i++) {
        int expected = Float.floatToRawIntBits((float) (integers[i] / operand));
        if (Float.floatToRawIntBits(target[i]) != expected) {
          fail(
              "%,d / 10^%d is %s, not %s",
              integers[i], power, target[i], Float.intBitsToFloat(expected));
        }
      }
    }
  }

  @Test
  void knowsTheValidPairs() {
    assertThat(AlpDoubles.isValid(0x0000, false)).isTrue();
    assertThat(AlpDoubles.isValid(0x0012, false)).isTrue();
    assertThat(AlpDoubles.isValid(0x0013, false)).isFalse();
    assertThat(AlpDoubles.isValid(0x0101, false)).isFalse();
    assertThat(AlpDoubles.isValid(0x0201, false)).isFalse();
    assertThat(AlpDoubles.isValid(0x030A, false)).isTrue();
    assertThat(AlpDoubles.isValid(0x030B, false)).isFalse();
    assertThat(AlpDoubles.isValid(0x0400, false)).isFalse();
    assertThat(AlpDoubles.isValid(-1, false)).isFalse();
    assertThat(AlpDoubles.isValid(0x0302, true)).isTrue();
    assertThat(AlpDoubles.isValid(0x0002, true)).isFalse();
  }

  /** Returns a percentage of {@code decimals} with two digits; the others have any bits. */
  private static double[] floats(int count, int decimals) {
    Random random = new Random(SEED);
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          random.nextInt(100) < decimals
              ? random.nextInt(100_000) / 100f
              : Float.intBitsToFloat(random.nextInt());
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 255, 256, 257, 5_000, 65_536})
  void everyPairGivesBackTheSameBitsOfFloats(int count) {
    double[] values = floats(count, 88);
    for (int power = 0; power <= 10; power++) {
      assertRoundTrip(values, count, DecimalForm.FLOAT_QUOTIENT.pair(power), true);
    }
  }

  @Test
  void findsFloatsThatAreDecimals() {
    double[] sample = floats(4096, 100);
    int pair = AlpDoubles.choose(sample, sample.length, true);
    assertThat(pair).isEqualTo(DecimalForm.FLOAT_QUOTIENT.pair(2));
    assertThat(assertRoundTrip(sample, sample.length, pair, true)).isZero();
    assertThat(AlpDoubles.choose(floats(4096, 0), 4096, true)).isEqualTo(-1);
  }
}
