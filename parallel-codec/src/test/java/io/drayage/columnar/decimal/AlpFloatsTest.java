package io.drayage.columnar.decimal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlpFloatsTest {
  private static final long SEED = 20_261_122;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 255, 256, 257, 5_000})
  void everyPairGivesBackTheSameBits(int count) {
    assertEveryPairGivesBackTheSameBits(count);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(ints = {63, 64, 65, 1_023, 1_024, 1_025, 65_535, 65_536})
  void everyPairGivesBackTheSameBitsOfMany(int count) {
    assertEveryPairGivesBackTheSameBits(count);
  }

  private static void assertEveryPairGivesBackTheSameBits(int count) {
    Random random = new Random(SEED);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          random.nextInt(8) == 0
              ? Float.intBitsToFloat(random.nextInt())
              : random.nextInt(100_000) / 100f;
    }
    for (int power = 0; power <= 10; power++) {
      assertRoundTrip(values, DecimalForm.FLOAT_QUOTIENT.pair(power));
    }
  }

  private static int assertRoundTrip(float[] values, int pair) {
    int count = values.length;
    int[] integers = new int[count];
    int[] exceptionAt = new int[count];
    int exceptions = AlpFloats.encode(values, count, pair, integers, exceptionAt);
    float[] back = new float[count];
    AlpFloats.decode(integers, count, pair, back);
    for (int e = 0; e < exceptions; e++) {
      back[exceptionAt[e]] = values[exceptionAt[e]];
    }
    for (int i = 0; i < count; i++) {
      assertThat(Float.floatToRawIntBits(back[i]))
          .as("value %,d, pair %04x, seed %d", i, pair, SEED)
          .isEqualTo(Float.floatToRawIntBits(values[i]));
    }
    return exceptions;
  }

  @Test
  void findsDecimals() {
    Random random = new Random(SEED);
    float[] sample = new float[4096];
    for (int i = 0; i < sample.length; i++) {
      sample[i] = Float.parseFloat("" + random.nextInt(5_000) / 100.0);
    }
    int pair = AlpFloats.choose(sample, sample.length);
    assertThat(pair).isEqualTo(DecimalForm.FLOAT_QUOTIENT.pair(2));
    assertThat(assertRoundTrip(sample, pair)).isZero();
  }

  @Test
  void refusesWhatIsNoDecimal() {
    Random random = new Random(SEED);
    float[] sample = new float[4096];
    for (int i = 0; i < sample.length; i++) {
      sample[i] = Float.intBitsToFloat(random.nextInt());
    }
    assertThat(AlpFloats.choose(sample, sample.length)).isEqualTo(-1);
  }

  @Test
  void takesPairsOfFloatsAlone() {
    assertThat(AlpFloats.isValid(0x0302)).isTrue();
    assertThat(AlpFloats.isValid(0x0002)).isFalse();
    assertThat(AlpFloats.isValid(0x030B)).isFalse();
  }
}
